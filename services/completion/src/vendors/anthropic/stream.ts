import { asObject, asText, type JsonObject, type Thought } from '@tollgate/core';
import {
  type AnswerPiece,
  completionTokensMaxOf,
  type VendorCall,
  type VendorFailure,
} from '../../domain/vendor';
import { createEventReader, readEvent } from '../protocol/event-reader';
import { kindOfStatus, refused, streamEnded, unreadable } from '../protocol/failures';
import {
  createPieceWriter,
  signedThoughtDelta,
  textDelta,
  thoughtDelta,
  toolDelta,
} from '../protocol/pieces';
import type { ReadBounds, VendorStreamReader } from '../protocol/vendor-protocol';
import { thoughtOf, vendorUsageOf } from './response';

/** A tool call whose arguments are streamed. */
interface OpenCall {
  readonly place: number;
  /** Whether any of its arguments came. */
  said: boolean;
}

/**
 * What a vendor signs, or keeps to itself, is about as long as what was thought, and nobody is
 * charged for it by its length. An honest one has some ten characters for each token.
 */
const SIGNED_CHARACTERS_PER_TOKEN_MAX = 32;
const SIGNED_CHARACTERS_BEYOND_MAX = 64 * 1024;
/** Each piece costs our client a frame, however short it is. */
const SIGNED_CHARACTERS_MIN = 256;

/**
 * Turns the events of a message into our pieces. The answer begins with its first block, not with
 * `message_start`: that one comes before the vendor has worked.
 */
export function createStreamReader(bounds: ReadBounds, call: VendorCall): VendorStreamReader {
  const writer = createPieceWriter(bounds, call);
  const begun = new Set<unknown>();
  const openCalls = new Map<unknown, OpenCall>();
  let calls = 0;
  let signedLeft =
    SIGNED_CHARACTERS_BEYOND_MAX + SIGNED_CHARACTERS_PER_TOKEN_MAX * completionTokensMaxOf(call);
  let usage: JsonObject = {};

  const beginMessage = (message: JsonObject | undefined, pieces: AnswerPiece[]) => {
    usage = definedIn(asObject(message?.usage));
    const counts = vendorUsageOf(usage);
    if (counts !== undefined) pieces.push({ kind: 'prompt', usage: counts });
  };

  const pass = (place: number, text: string, pieces: AnswerPiece[]) => {
    if (text !== '') writer.delta(0, toolDelta(place, { arguments: text }), text, pieces);
  };

  const beginBlock = (index: unknown, block: JsonObject, pieces: AnswerPiece[]) => {
    begun.add(index);
    writer.begin(0, pieces);
    if (block.type === 'text') passText(asText(block.text), pieces);
    for (const thought of thoughtOf(block)) passThought(thought, pieces);
    if (block.type !== 'tool_use') return;
    const name = asText(block.name);
    const opened: OpenCall = { place: calls, said: false };
    calls += 1;
    openCalls.set(index, opened);
    const step = { id: asText(block.id), name, arguments: '' };
    writer.delta(0, toolDelta(opened.place, step), name, pieces);
    // Usually empty, and written by the deltas that follow.
    if (Object.keys(asObject(block.input) ?? {}).length === 0) return;
    opened.said = true;
    pass(opened.place, JSON.stringify(block.input), pieces);
  };

  const passText = (text: string, pieces: AnswerPiece[]) => {
    if (text !== '') writer.delta(0, textDelta(text), text, pieces);
  };

  const passSigned = (thought: Thought, signed: string, pieces: AnswerPiece[]) => {
    signedLeft -= Math.max(SIGNED_CHARACTERS_MIN, signed.length);
    if (signedLeft < 0) throw unreadable('the vendor signed more than it was asked to think');
    writer.delta(0, signedThoughtDelta(thought), '', pieces);
  };

  const passThought = (thought: Thought, pieces: AnswerPiece[]) => {
    if (thought.type === 'redacted_thinking') {
      passSigned(thought, thought.data, pieces);
      return;
    }
    const { signature, thinking: text, type } = thought;
    if (text !== '') writer.delta(0, thoughtDelta(text), text, pieces);
    if (signature !== '') passSigned({ type, thinking: '', signature }, signature, pieces);
  };

  const readDelta = (index: unknown, delta: JsonObject, pieces: AnswerPiece[]) => {
    // Before anything of it is handed on, so that another channel may still be tried.
    if (!begun.has(index))
      throw unreadable('the vendor went on with a block that it did not begin');
    if (delta.type === 'text_delta') passText(asText(delta.text), pieces);
    // Both have members of a `thinking` block.
    if (delta.type === 'thinking_delta' || delta.type === 'signature_delta') {
      for (const thought of thoughtOf({ ...delta, type: 'thinking' })) passThought(thought, pieces);
    }
    const opened = openCalls.get(index);
    if (delta.type !== 'input_json_delta' || opened === undefined) return;
    const text = asText(delta.partial_json);
    opened.said ||= text !== '';
    pass(opened.place, text, pieces);
  };

  const endBlock = (index: unknown, pieces: AnswerPiece[]) => {
    const opened = openCalls.get(index);
    // A tool without parameters: its arguments are an empty object, not an empty text.
    if (opened !== undefined && !opened.said) pass(opened.place, '{}', pieces);
    openCalls.delete(index);
  };

  const readMessageDelta = (event: JsonObject, pieces: AnswerPiece[]) => {
    const counted = definedIn(asObject(event.usage));
    usage = { ...usage, ...counted };
    const reason = asObject(event.delta)?.stop_reason;
    if (typeof reason !== 'string') return;
    writer.begin(0, pieces);
    // The count at the start is of what the message began with, not of all of it.
    const counts = counted.output_tokens === undefined ? undefined : vendorUsageOf(usage);
    if (counts !== undefined) pieces.push({ kind: 'usage', usage: counts });
    writer.finish(0, reason, pieces);
  };

  return createEventReader(bounds, writer, (data, pieces) => {
    const event = readEvent(data);
    switch (event.type) {
      case 'message_start':
        beginMessage(asObject(event.message), pieces);
        return false;
      case 'content_block_start':
        beginBlock(event.index, asObject(event.content_block) ?? {}, pieces);
        return false;
      case 'content_block_delta':
        readDelta(event.index, asObject(event.delta) ?? {}, pieces);
        return false;
      case 'content_block_stop':
        endBlock(event.index, pieces);
        return false;
      case 'message_delta':
        readMessageDelta(event, pieces);
        return false;
      case 'message_stop':
        return true;
      case 'error':
        throw streamedFailure(asObject(event.error), writer.progress !== 'none', bounds);
      default:
        // A ping, or an event of a later version: both may come at any place.
        return false;
    }
  });
}

/** The status that goes with each error in a refusal; another one is a failure of the vendor. */
const STATUSES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    invalid_request_error: 400,
    authentication_error: 401,
    billing_error: 402,
    permission_error: 403,
    request_too_large: 413,
    rate_limit_error: 429,
    timeout_error: 504,
  }),
);

function streamedFailure(
  error: JsonObject | undefined,
  begun: boolean,
  bounds: ReadBounds,
): VendorFailure {
  const type = asText(error?.type);
  // Only words of the protocol: the rest of the event may hold anything.
  const known = /^[a-z_]{1,40}$/.test(type) ? type : 'error';
  const internalMessage = `the vendor streamed ${known}`;
  const status = STATUSES.get(type);
  const kind = status === undefined ? 'failure' : kindOfStatus(status);
  return streamEnded({ status, error, internalMessage }, begun, (said) =>
    refused(kind, said, bounds),
  );
}

/** Later counts replace earlier ones, except where they say nothing. */
function definedIn(usage: JsonObject | undefined): JsonObject {
  return Object.fromEntries(
    Object.entries(usage ?? {}).filter(([, count]) => count !== null && count !== undefined),
  );
}
