import {
  type AppError,
  type FinishReason,
  type JsonObject,
  signedThoughts,
  type Thought,
  textOfThoughts,
} from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import type { ChatFrames } from '../../format';
import { createEventReader, createEventWriter, readChoices } from '../choices';
import {
  callItem,
  createOutput,
  type ItemStatus,
  itemId,
  messageItem,
  type OpenCall,
  type OpenMessage,
  type OpenThought,
  type OutputItem,
  openMessage,
  type Part,
  reasoningItem,
  refusalPart,
  summaryPart,
  textPart,
} from './items';

/** The body of a whole answer. */
export function toResponse(
  requestId: string,
  answer: completionV1.CompleteResponse,
  echo: JsonObject = {},
): Buffer {
  const { thoughts, text, refusal, calls, reason } = readChoices(requestId, answer.choices);
  const ended = endingOf(reason);
  const parts = [
    ...(text === '' ? [] : [textPart(text)]),
    ...(refusal === '' ? [] : [refusalPart(refusal)]),
  ];
  const output = createOutput(requestId);
  if (thoughts.length > 0) {
    const isAll = parts.length + calls.length === 0;
    output.add(reasoningItem, wholeThought(thoughts), isAll ? ended.status : 'completed');
  }
  // A text before a call is complete when the call begins.
  const said = calls.length > 0 ? 'completed' : ended.status;
  if (parts.length > 0) output.add(messageItem, parts, said);
  for (const call of calls) {
    output.add(callItem, { call_id: call.id, name: call.name, text: call.arguments }, ended.status);
  }
  const about = aboutOf(requestId, answer, echo);
  return Buffer.from(responseOf(about, ended, output.items, answer.usage));
}

/**
 * The events of one stream:
 *
 * ```
 * response.created, response.in_progress, then for each item of the output
 *   output_item.added, (content_part.added, deltas, done, content_part.done)... or
 *   (reasoning_summary_part.added, deltas, done, reasoning_summary_part.done) or
 *   (function_call_arguments.delta..., .done), output_item.done
 * and response.completed, response.incomplete or response.failed with the whole response
 * ```
 *
 * An item ends where the next begins, except that calls end together: vendors may write their
 * arguments in turns.
 */
export function createFrames(
  requestId: string,
  head: completionV1.StreamHead,
  echo: JsonObject = {},
): ChatFrames {
  const read = createEventReader(requestId);
  const about = aboutOf(requestId, head, echo);
  const output = createOutput(requestId);
  const calls: OpenCall[] = [];
  let endedCalls = 0;
  let message: OpenMessage | undefined;
  let thought: OpenThought | undefined;
  let reason: FinishReason = 'stop';
  let begun = false;
  let number = 0;
  const { write: writeEvent, writeJson, take } = createEventWriter();

  const write = (type: string, fields: JsonObject) => {
    writeEvent({ type: `response.${type}`, sequence_number: number, ...fields });
    number += 1;
  };
  const writeResponse = (event: string, response: string) => {
    const type = `response.${event}`;
    writeJson(type, `{"type":"${type}","sequence_number":${number},"response":${response}}`);
    number += 1;
  };
  const begin = () => {
    if (begun) return;
    begun = true;
    const response = responseOf(about, IN_PROGRESS, [], undefined);
    writeResponse('created', response);
    writeResponse('in_progress', response);
  };
  const endPart = () => {
    const part = message?.parts.at(-1);
    if (message === undefined || part === undefined) return;
    const place = message.place();
    if (part.type === 'output_text') {
      write('output_text.done', { ...place, text: part.text, logprobs: [] });
    } else {
      write('refusal.done', { ...place, refusal: part.refusal });
    }
    write('content_part.done', { ...place, part });
  };
  const endMessage = (status: ItemStatus) => {
    if (message === undefined) return;
    endPart();
    const { index, parts } = message;
    message = undefined;
    const item = output.set(index, messageItem, parts, status);
    write('output_item.done', { output_index: index, item });
  };
  const endCalls = (status: ItemStatus) => {
    for (const { index, ...call } of calls.slice(endedCalls)) {
      const item = output.set(index, callItem, call, status);
      const place = { item_id: item.id, output_index: index };
      write('function_call_arguments.done', { ...place, name: call.name, arguments: call.text });
      write('output_item.done', { output_index: index, item });
    }
    endedCalls = calls.length;
  };
  const endThought = (status: ItemStatus) => {
    if (thought === undefined) return;
    const { index, text, unsigned } = thought;
    const signed = unsigned === '' ? thought.signed : [];
    const item = output.set(index, reasoningItem, { text, signed }, status);
    thought = undefined;
    const place = { item_id: item.id, output_index: index };
    if (text !== '') {
      const ofPart = { ...place, summary_index: 0 };
      write('reasoning_summary_text.done', { ...ofPart, text });
      write('reasoning_summary_part.done', { ...ofPart, part: summaryPart(text) });
    }
    write('output_item.done', { output_index: index, item });
  };
  const openThought = (): OpenThought => {
    if (thought !== undefined) return thought;
    endMessage('completed');
    endCalls('completed');
    const opened = { text: '', unsigned: '', signed: [] };
    const { index, item } = output.begin(reasoningItem, opened);
    thought = { index, ...opened };
    write('output_item.added', { output_index: index, item });
    return thought;
  };
  const think = (text: string) => {
    const opened = openThought();
    const item_id = itemId('rs', requestId, opened.index);
    const place = { item_id, output_index: opened.index, summary_index: 0 };
    if (opened.text === '')
      write('reasoning_summary_part.added', { ...place, part: summaryPart('') });
    opened.text += text;
    opened.unsigned += text;
    write('reasoning_summary_text.delta', { ...place, delta: text });
  };
  const sign = (block: Thought) => {
    const { signed, unsigned } = openThought();
    const isRead = block.type === 'thinking';
    signed.push(isRead ? { ...block, thinking: unsigned } : block);
    if (isRead) openThought().unsigned = '';
  };
  const writeText = (kind: Part['type'], text: string) => {
    if (message === undefined) {
      endThought('completed');
      endCalls('completed');
      const { index, item } = output.begin(messageItem, []);
      message = openMessage(index, item.id);
      write('output_item.added', { output_index: index, item });
    }
    let part = message.parts.at(-1);
    if (part?.type !== kind) {
      endPart();
      part = kind === 'output_text' ? textPart('') : refusalPart('');
      message.parts.push(part);
      write('content_part.added', { ...message.place(), part });
    }
    if (part.type === 'output_text') {
      part.text += text;
      write('output_text.delta', { ...message.place(), delta: text, logprobs: [] });
    } else {
      part.refusal += text;
      write('refusal.delta', { ...message.place(), delta: text });
    }
  };
  const call = (place: number, id: string, name: string) => {
    endThought('completed');
    endMessage('completed');
    const { index, item } = output.begin(callItem, { call_id: id, name, text: '' });
    calls[place] = { index, call_id: id, name, text: '' };
    write('output_item.added', { output_index: index, item });
  };
  const writeArguments = (place: number, text: string) => {
    const opened = calls[place];
    if (opened === undefined) return;
    opened.text += text;
    const item_id = itemId('fc', requestId, opened.index);
    write('function_call_arguments.delta', { item_id, output_index: opened.index, delta: text });
  };
  const finish = (status: ItemStatus) => {
    begin();
    endThought(status);
    endMessage(status);
    endCalls(status);
  };

  return {
    chunk(events) {
      begin();
      for (const step of events.flatMap(read)) {
        switch (step.kind) {
          case 'thought':
            think(step.text);
            break;
          case 'signed':
            sign(step.block);
            break;
          case 'text':
            writeText('output_text', step.text);
            break;
          case 'refusal':
            writeText('refusal', step.text);
            break;
          case 'call':
            call(step.place, step.id, step.name);
            break;
          case 'arguments':
            writeArguments(step.place, step.text);
            break;
          case 'finish':
            reason = step.reason;
        }
      }
      return take();
    },
    end(usage) {
      const ended = endingOf(reason);
      finish(ended.status);
      writeResponse(ended.status, responseOf(about, ended, output.items, usage));
      return take();
    },
    fail(error) {
      finish('incomplete');
      const ended = { ...IN_PROGRESS, status: 'failed', error: toResponseError(error) } as const;
      writeResponse('failed', responseOf(about, ended, output.items, undefined));
      return take();
    },
  };
}

function wholeThought(thoughts: readonly Thought[]) {
  return { text: textOfThoughts(thoughts), signed: signedThoughts(thoughts) };
}

/** The words that clients of this format tell a failure within an answer by. */
function toResponseError({ code, definition, publicMessage: message }: AppError): JsonObject {
  if (definition.httpStatus >= 500) return { code: 'server_error', message };
  if (definition.httpStatus === 429) return { code: 'rate_limit_exceeded', message };
  return { code: definition.openaiCode ?? code, message };
}

/** How an answer stands. */
interface ResponseStatus {
  readonly status: 'completed' | 'incomplete' | 'in_progress' | 'failed';
  readonly error: JsonObject | null;
  readonly incomplete_details: JsonObject | null;
}

const IN_PROGRESS: ResponseStatus = {
  status: 'in_progress',
  error: null,
  incomplete_details: null,
};

function endingOf(
  reason: FinishReason,
): ResponseStatus & { readonly status: 'completed' | 'incomplete' } {
  switch (reason) {
    case 'stop':
    case 'tool_calls':
      return { status: 'completed', error: null, incomplete_details: null };
    case 'length':
      return { ...CUT, incomplete_details: { reason: 'max_output_tokens' } };
    case 'content_filter':
      return { ...CUT, incomplete_details: { reason: 'content_filter' } };
  }
}

const CUT = { status: 'incomplete', error: null } as const;

/** What stays the same of a response from its beginning to its end. */
interface About {
  readonly requestId: string;
  readonly model: string;
  readonly created: bigint;
  /** The JSON of its last members, with the end of the object. */
  readonly rest: string;
}

const KEPT_NOWHERE = {
  store: false,
  background: false,
  previous_response_id: null,
  truncation: 'disabled',
};

/** The echo may have megabytes and stands in three events of a stream: its text is made once. */
function aboutOf(
  requestId: string,
  { model, created }: Pick<completionV1.StreamHead, 'model' | 'created'>,
  echo: JsonObject,
): About {
  const rest = JSON.stringify({ ...echo, ...KEPT_NOWHERE }).slice(1);
  return { requestId, model, created, rest };
}

/** The JSON of a response. */
function responseOf(
  { requestId, model, created, rest }: About,
  standing: ResponseStatus,
  output: readonly OutputItem[],
  usage: completionV1.Usage | undefined,
): string {
  const own = {
    // Client libraries expect the prefix.
    id: `resp_${requestId}`,
    object: 'response',
    created_at: Number(created),
    ...standing,
    model,
    output,
    usage: usage === undefined ? null : usageOf(usage),
  };
  return `${JSON.stringify(own).slice(0, -1)},${rest}`;
}

function usageOf({
  promptTokens,
  completionTokens,
  totalTokens,
  cachedTokens,
  cacheWriteTokens,
  reasoningTokens,
  promptAudioTokens,
  completionAudioTokens,
}: completionV1.Usage) {
  return {
    input_tokens: promptTokens,
    input_tokens_details: {
      cached_tokens: cachedTokens,
      ...(cacheWriteTokens > 0 ? { cache_write_tokens: cacheWriteTokens } : {}),
      ...(promptAudioTokens > 0 ? { audio_tokens: promptAudioTokens } : {}),
    },
    output_tokens: completionTokens,
    output_tokens_details: {
      reasoning_tokens: reasoningTokens,
      ...(completionAudioTokens > 0 ? { audio_tokens: completionAudioTokens } : {}),
    },
    total_tokens: totalTokens,
  };
}
