import type { AppError, FinishReason, JsonObject } from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import type { ChatFrames } from '../../format';
import { createEventReader, createEventWriter, readChoices } from '../choices';

/** The body of a whole answer. */
export function toResponse(
  requestId: string,
  answer: completionV1.CompleteResponse,
  echo: JsonObject = {},
): Buffer {
  const { text, refusal, calls, reason } = readChoices(requestId, answer.choices);
  const ended = endingOf(reason);
  const parts = [
    ...(text === '' ? [] : [textPart(text)]),
    ...(refusal === '' ? [] : [refusalPart(refusal)]),
  ];
  const output = createOutput(requestId);
  // A text before a call is complete when the call begins.
  const said = calls.length > 0 ? 'completed' : ended.status;
  if (parts.length > 0) output.add(messageItem, parts, said);
  for (const call of calls) {
    output.add(callItem, { call_id: call.id, name: call.name, text: call.arguments }, ended.status);
  }
  const about = { requestId, model: answer.model, created: answer.created, echo };
  return Buffer.from(JSON.stringify(responseOf(about, ended, output.items, answer.usage)));
}

/**
 * The events of one stream:
 *
 * ```
 * response.created, response.in_progress, then for each item of the output
 *   output_item.added, (content_part.added, deltas, done, content_part.done)... or
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
  const about = { requestId, model: head.model, created: head.created, echo };
  const output = createOutput(requestId);
  const calls: OpenCall[] = [];
  let message: OpenMessage | undefined;
  let reason: FinishReason = 'stop';
  let begun = false;
  let number = 0;
  const { write: writeEvent, take } = createEventWriter();

  const write = (type: string, members: JsonObject) => {
    writeEvent({ type: `response.${type}`, sequence_number: number, ...members });
    number += 1;
  };
  const begin = () => {
    if (begun) return;
    begun = true;
    const response = responseOf(about, IN_PROGRESS, [], undefined);
    write('created', { response });
    write('in_progress', { response });
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
    for (const { index, ...call } of calls) {
      if (output.isDone(index)) continue;
      const item = output.set(index, callItem, call, status);
      const place = { item_id: item.id, output_index: index };
      write('function_call_arguments.done', { ...place, name: call.name, arguments: call.text });
      write('output_item.done', { output_index: index, item });
    }
  };
  const say = (kind: Part['type'], text: string) => {
    if (message === undefined) {
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
    endMessage('completed');
    const { index, item } = output.begin(callItem, { call_id: id, name, text: '' });
    calls[place] = { index, call_id: id, name, text: '' };
    write('output_item.added', { output_index: index, item });
  };
  const argue = (place: number, text: string) => {
    const opened = calls[place];
    if (opened === undefined) return;
    opened.text += text;
    const item_id = itemId('fc', requestId, opened.index);
    write('function_call_arguments.delta', { item_id, output_index: opened.index, delta: text });
  };
  const finish = (status: ItemStatus) => {
    begin();
    endMessage(status);
    endCalls(status);
  };

  return {
    chunk(events) {
      begin();
      for (const step of events.flatMap(read)) {
        switch (step.kind) {
          case 'text':
            say('output_text', step.text);
            break;
          case 'refusal':
            say('refusal', step.text);
            break;
          case 'call':
            call(step.place, step.id, step.name);
            break;
          case 'arguments':
            argue(step.place, step.text);
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
      write(ended.status, { response: responseOf(about, ended, output.items, usage) });
      return take();
    },
    fail(error) {
      finish('incomplete');
      const ended = { ...IN_PROGRESS, status: 'failed', error: toResponseError(error) } as const;
      write('failed', { response: responseOf(about, ended, output.items, undefined) });
      return take();
    },
  };
}

/** The words that clients of this format tell a failure within an answer by. */
function toResponseError({ code, definition, publicMessage: message }: AppError): JsonObject {
  if (definition.httpStatus >= 500) return { code: 'server_error', message };
  if (definition.httpStatus === 429) return { code: 'rate_limit_exceeded', message };
  return { code: definition.plainCode ?? code, message };
}

type ItemStatus = 'completed' | 'incomplete' | 'in_progress';

interface TextPart {
  readonly type: 'output_text';
  text: string;
  readonly annotations: readonly [];
  readonly logprobs: readonly [];
}

interface RefusalPart {
  readonly type: 'refusal';
  refusal: string;
}

type Part = TextPart | RefusalPart;

const textPart = (text: string): TextPart => ({
  ...{ type: 'output_text', text, annotations: [], logprobs: [] },
});
const refusalPart = (refusal: string): RefusalPart => ({ type: 'refusal', refusal });

interface OpenMessage {
  readonly index: number;
  readonly parts: Part[];
  /** Where the newest part belongs. */
  place(): JsonObject;
}

function openMessage(index: number, id: string): OpenMessage {
  const parts: Part[] = [];
  const place = () => ({ item_id: id, output_index: index, content_index: parts.length - 1 });
  return { index, parts, place };
}

interface Call {
  readonly call_id: string;
  readonly name: string;
  text: string;
}

interface OpenCall extends Call {
  readonly index: number;
}

interface OutputItem {
  readonly type: string;
  readonly id: string;
  readonly status: ItemStatus;
}

type WriteItem<Content> = (id: string, content: Content, status: ItemStatus) => OutputItem;

const messageItem = (id: string, parts: readonly Part[], status: ItemStatus) => ({
  ...{ type: 'message', id: `msg_${id}`, status, role: 'assistant', content: parts },
});
const callItem = (id: string, { call_id, name, text }: Call, status: ItemStatus) => ({
  ...{ type: 'function_call', id: `fc_${id}`, status, call_id, name, arguments: text },
});

function itemId(prefix: string, requestId: string, index: number): string {
  return `${prefix}_${requestId}_${index}`;
}

/** The items of one answer, numbered in the order in which they began. */
function createOutput(requestId: string) {
  const items: OutputItem[] = [];
  const written = <C>(index: number, write: WriteItem<C>, content: C, status: ItemStatus) => {
    const item = write(`${requestId}_${index}`, content, status);
    items[index] = item;
    return item;
  };
  return {
    items,
    add: <C>(write: WriteItem<C>, content: C, status: ItemStatus) =>
      written(items.length, write, content, status),
    begin<C>(write: WriteItem<C>, content: C) {
      const index = items.length;
      return { index, item: written(index, write, content, 'in_progress') };
    },
    set: written,
    isDone: (index: number) => items[index]?.status !== 'in_progress',
  };
}

/** How an answer stands. */
interface Standing {
  readonly status: 'completed' | 'incomplete' | 'in_progress' | 'failed';
  readonly error: JsonObject | null;
  readonly incomplete_details: JsonObject | null;
}

const IN_PROGRESS: Standing = { status: 'in_progress', error: null, incomplete_details: null };

function endingOf(
  reason: FinishReason,
): Standing & { readonly status: 'completed' | 'incomplete' } {
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

interface About {
  readonly requestId: string;
  readonly model: string;
  readonly created: bigint;
  readonly echo: JsonObject;
}

function responseOf(
  { requestId, model, created, echo }: About,
  standing: Standing,
  output: readonly OutputItem[],
  usage: completionV1.Usage | undefined,
): JsonObject {
  return {
    // Client libraries expect the prefix.
    id: `resp_${requestId}`,
    object: 'response',
    created_at: Number(created),
    ...standing,
    model,
    output,
    usage: usage === undefined ? null : usageOf(usage),
    ...echo,
    ...KEPT_NOWHERE,
  };
}

const KEPT_NOWHERE = {
  store: false,
  background: false,
  previous_response_id: null,
  truncation: 'disabled',
};

function usageOf({
  promptTokens,
  completionTokens,
  totalTokens,
  cachedTokens,
  cacheWriteTokens,
  reasoningTokens,
}: completionV1.Usage) {
  return {
    input_tokens: promptTokens,
    input_tokens_details: {
      cached_tokens: cachedTokens,
      ...(cacheWriteTokens > 0 ? { cache_write_tokens: cacheWriteTokens } : {}),
    },
    output_tokens: completionTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: totalTokens,
  };
}
