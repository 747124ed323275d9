import type { JsonObject } from '@tollgate/core';
import {
  completionTokensMaxOf,
  type VendorCall,
  type VendorFailure,
  type VendorFrame,
} from '../../domain/vendor';
import { createEventReader } from '../protocol/event-reader';
import { type RefusalKind, readEvent, streamEnded, unreadable } from '../protocol/failures';
import {
  createFrameWriter,
  signedThoughtDelta,
  textDelta,
  thoughtDelta,
  toolDelta,
} from '../protocol/frames';
import { asObject, asText } from '../protocol/json';
import type { SignedThought } from '../protocol/thoughts';
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
 * Turns the events of a message into our frames. The answer begins with its first block, not with
 * `message_start`: that one comes before the vendor has worked.
 */
export function createStreamReader(bounds: ReadBounds, call: VendorCall): VendorStreamReader {
  const writer = createFrameWriter(bounds, call);
  const begun = new Set<unknown>();
  const openCalls = new Map<unknown, OpenCall>();
  let calls = 0;
  let signedLeft =
    SIGNED_CHARACTERS_BEYOND_MAX + SIGNED_CHARACTERS_PER_TOKEN_MAX * completionTokensMaxOf(call);
  let usage: JsonObject = {};

  const beginMessage = (message: JsonObject | undefined, frames: VendorFrame[]) => {
    usage = definedIn(asObject(message?.usage));
    const counts = vendorUsageOf(usage);
    if (counts !== undefined) frames.push({ kind: 'prompt', usage: counts });
  };

  const pass = (place: number, text: string, frames: VendorFrame[]) => {
    if (text !== '') writer.delta(0, toolDelta(place, { arguments: text }), text, frames);
  };

  const beginBlock = (index: unknown, block: JsonObject, frames: VendorFrame[]) => {
    begun.add(index);
    writer.begin(0, frames);
    if (block.type === 'text') passText(asText(block.text), frames);
    for (const thought of thoughtOf(block)) passThought(thought, frames);
    if (block.type !== 'tool_use') return;
    const name = asText(block.name);
    const opened: OpenCall = { place: calls, said: false };
    calls += 1;
    openCalls.set(index, opened);
    const step = { id: asText(block.id), name, arguments: '' };
    writer.delta(0, toolDelta(opened.place, step), name, frames);
    // Usually empty, and written by the deltas that follow.
    if (Object.keys(asObject(block.input) ?? {}).length === 0) return;
    opened.said = true;
    pass(opened.place, JSON.stringify(block.input), frames);
  };

  const passText = (text: string, frames: VendorFrame[]) => {
    if (text !== '') writer.delta(0, textDelta(text), text, frames);
  };

  const passSigned = (thought: SignedThought, signed: string, frames: VendorFrame[]) => {
    signedLeft -= Math.max(SIGNED_CHARACTERS_MIN, signed.length);
    if (signedLeft < 0) throw unreadable('the vendor signed more than it was asked to think');
    writer.delta(0, signedThoughtDelta(thought), '', frames);
  };

  const passThought = (thought: SignedThought, frames: VendorFrame[]) => {
    if (thought.type === 'redacted_thinking') {
      passSigned(thought, thought.data, frames);
      return;
    }
    const { signature, thinking: text, type } = thought;
    if (text !== '') writer.delta(0, thoughtDelta(text), text, frames);
    if (signature !== '') passSigned({ type, thinking: '', signature }, signature, frames);
  };

  const readDelta = (index: unknown, delta: JsonObject, frames: VendorFrame[]) => {
    // Before anything of it is handed on, so that another channel may still be tried.
    if (!begun.has(index))
      throw unreadable('the vendor went on with a block that it did not begin');
    if (delta.type === 'text_delta') passText(asText(delta.text), frames);
    // Both have members of a `thinking` block.
    if (delta.type === 'thinking_delta' || delta.type === 'signature_delta') {
      for (const thought of thoughtOf({ ...delta, type: 'thinking' })) passThought(thought, frames);
    }
    const opened = openCalls.get(index);
    if (delta.type !== 'input_json_delta' || opened === undefined) return;
    const text = asText(delta.partial_json);
    opened.said ||= text !== '';
    pass(opened.place, text, frames);
  };

  const endBlock = (index: unknown, frames: VendorFrame[]) => {
    const opened = openCalls.get(index);
    // A tool without parameters: its arguments are an empty object, not an empty text.
    if (opened !== undefined && !opened.said) pass(opened.place, '{}', frames);
    openCalls.delete(index);
  };

  const readMessageDelta = (event: JsonObject, frames: VendorFrame[]) => {
    const counted = definedIn(asObject(event.usage));
    usage = { ...usage, ...counted };
    const reason = asObject(event.delta)?.stop_reason;
    if (typeof reason !== 'string') return;
    writer.begin(0, frames);
    // The count at the start is of what the message began with, not of all of it.
    const counts = counted.output_tokens === undefined ? undefined : vendorUsageOf(usage);
    if (counts !== undefined) frames.push({ kind: 'usage', usage: counts });
    writer.finish(0, reason, frames);
  };

  return createEventReader(bounds, writer, (data, frames) => {
    const event = readEvent(data);
    switch (event.type) {
      case 'message_start':
        beginMessage(asObject(event.message), frames);
        return false;
      case 'content_block_start':
        beginBlock(event.index, asObject(event.content_block) ?? {}, frames);
        return false;
      case 'content_block_delta':
        readDelta(event.index, asObject(event.delta) ?? {}, frames);
        return false;
      case 'content_block_stop':
        endBlock(event.index, frames);
        return false;
      case 'message_delta':
        readMessageDelta(event, frames);
        return false;
      case 'message_stop':
        return true;
      case 'error':
        throw streamedFailure(asObject(event.error), writer.progress !== 'none');
      default:
        // A ping, or an event of a later version: both may come at any place.
        return false;
    }
  });
}

const FAILURES: ReadonlyMap<string, RefusalKind> = new Map(
  Object.entries({
    authentication_error: 'credential',
    permission_error: 'credential',
    billing_error: 'credit',
    rate_limit_error: 'rate_limited',
    timeout_error: 'timeout',
    invalid_request_error: 'request',
    request_too_large: 'request',
  } as const),
);

/** The failure of an error event: within an answer the vendor has spent work on it. */
function streamedFailure(error: JsonObject | undefined, begun: boolean): VendorFailure {
  const type = asText(error?.type);
  // Only words of the protocol: the rest of the event may hold anything.
  const known = /^[a-z_]{1,40}$/.test(type) ? type : 'error';
  const internalMessage = `the vendor streamed ${known}`;
  return streamEnded(error, internalMessage, begun ? undefined : (FAILURES.get(type) ?? 'failure'));
}

/** Later counts replace earlier ones, except where they say nothing. */
function definedIn(usage: JsonObject | undefined): JsonObject {
  return Object.fromEntries(
    Object.entries(usage ?? {}).filter(([, count]) => count !== null && count !== undefined),
  );
}
