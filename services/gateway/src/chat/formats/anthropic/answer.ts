import {
  type AppError,
  type FinishReason,
  isObject,
  type JsonObject,
  type Thought,
} from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import type { ChatFrames } from '../../format';
import { createEventReader, createEventWriter, type ReadCall, readChoices } from '../choices';

/** The body of a whole answer. */
export function toMessage(requestId: string, answer: completionV1.CompleteResponse): Buffer {
  const { thoughts, text, refusal, calls, reason } = readChoices(requestId, answer.choices);
  const said = text + refusal;
  return Buffer.from(
    JSON.stringify({
      ...beginningOf(requestId, answer.model),
      content: [
        ...thoughts,
        ...(said === '' ? [] : [{ type: 'text', text: said }]),
        ...calls.map((call) => toolUseOf(call.id, call.name, inputOf(call))),
      ],
      stop_reason: stopReasonOf(reason, { refused: refusal !== '', called: calls.length > 0 }),
      stop_sequence: null,
      usage: usageOf(answer.usage),
    }),
  );
}

/**
 * The events of one stream:
 *
 * ```
 * message_start, then for each block content_block_start, content_block_delta..., content_block_stop,
 * then message_delta with the reason and the usage, and message_stop
 * ```
 *
 * A block ends where the next begins. Vendors write one call of a tool after the other; arguments of
 * an earlier call go to their block by its index, so that nothing is lost.
 */
export function createFrames(
  requestId: string,
  head: completionV1.StreamHead,
  toFailureBody: (error: AppError) => string,
): ChatFrames {
  const read = createEventReader(requestId);
  /** The index of the block of each call, by its place. */
  const callBlocks: number[] = [];
  let blocks = 0;
  let open: 'thought' | 'text' | 'call' | undefined;
  let begun = false;
  let refused = false;
  let reason: FinishReason = 'stop';
  const { write, take } = createEventWriter();

  const begin = () => {
    if (begun) return;
    begun = true;
    const message = { ...beginningOf(requestId, head.model), content: [], ...NOT_ENDED };
    write({ type: 'message_start', message });
  };
  const endBlock = () => {
    if (open === undefined) return;
    open = undefined;
    write({ type: 'content_block_stop', index: blocks - 1 });
  };
  const beginBlock = (kind: 'thought' | 'text' | 'call', block: JsonObject): number => {
    endBlock();
    const index = blocks;
    blocks += 1;
    open = kind;
    write({ type: 'content_block_start', index, content_block: block });
    return index;
  };
  const passThought = (delta: JsonObject) => {
    if (open !== 'thought')
      beginBlock('thought', { type: 'thinking', thinking: '', signature: '' });
    write({ type: 'content_block_delta', index: blocks - 1, delta });
  };
  const endThought = (block: Thought) => {
    if (block.type === 'redacted_thinking') beginBlock('thought', block);
    else passThought({ type: 'signature_delta', signature: block.signature });
    endBlock();
  };
  const passText = (text: string) => {
    if (open !== 'text') beginBlock('text', { type: 'text', text: '' });
    const delta = { type: 'text_delta', text };
    write({ type: 'content_block_delta', index: blocks - 1, delta });
  };

  return {
    chunk(events) {
      begin();
      for (const step of events.flatMap(read)) {
        switch (step.kind) {
          case 'thought':
            passThought({ type: 'thinking_delta', thinking: step.text });
            break;
          case 'signed':
            endThought(step.block);
            break;
          case 'refusal':
            refused = true;
            passText(step.text);
            break;
          case 'text':
            passText(step.text);
            break;
          case 'call':
            callBlocks[step.place] = beginBlock('call', toolUseOf(step.id, step.name, {}));
            break;
          case 'arguments': {
            const delta = { type: 'input_json_delta', partial_json: step.text };
            write({ type: 'content_block_delta', index: callBlocks[step.place], delta });
            break;
          }
          case 'finish':
            reason = step.reason;
        }
      }
      return take();
    },
    end(usage) {
      begin();
      endBlock();
      const called = callBlocks.length > 0;
      const ended = { stop_reason: stopReasonOf(reason, { refused, called }), stop_sequence: null };
      write({ type: 'message_delta', delta: ended, usage: usageOf(usage) });
      write({ type: 'message_stop' });
      return take();
    },
    fail: (error) => Buffer.from(`event: error\ndata: ${toFailureBody(error)}\n\n`),
  };
}

/** Client libraries expect the prefix. */
function beginningOf(requestId: string, model: string) {
  return { id: `msg_${requestId}`, type: 'message', role: 'assistant', model } as const;
}

function toolUseOf(id: string, name: string, input: JsonObject) {
  return { type: 'tool_use', id, name, input } as const;
}

/**
 * The arguments as the object that this format wants. What is none, because the answer was cut off
 * in the middle of it, is handed on as text under a name of ours.
 */
function inputOf({ arguments: text }: ReadCall): JsonObject {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Falls through to the text.
  }
  return { raw_arguments: text };
}

interface Ending {
  readonly refused: boolean;
  readonly called: boolean;
}

/** Vendors say "stop" also after the call of a tool that the request had named. */
function stopReasonOf(reason: FinishReason, { refused, called }: Ending): string {
  if (refused) return 'refusal';
  switch (reason) {
    case 'stop':
      return called ? 'tool_use' : 'end_turn';
    case 'length':
      return 'max_tokens';
    case 'tool_calls':
      return 'tool_use';
    case 'content_filter':
      return 'refusal';
  }
}

/** This format counts what came from a cache, or went there, beside the prompt; we count it in it. */
function usageOf(usage: completionV1.Usage | undefined) {
  const { promptTokens = 0, completionTokens = 0 } = usage ?? {};
  const { cachedTokens = 0, cacheWriteTokens = 0 } = usage ?? {};
  return {
    input_tokens: Math.max(0, promptTokens - cachedTokens - cacheWriteTokens),
    output_tokens: completionTokens,
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cachedTokens,
  };
}

/** The tokens of a stream are known at its end. */
const NOT_ENDED = { stop_reason: null, stop_sequence: null, usage: usageOf(undefined) };
