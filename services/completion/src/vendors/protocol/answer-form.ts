import type { FinishReason, JsonObject } from '@tollgate/core';
import type { VendorCall, VendorCompletion } from '../../domain/vendor';
import { withinCap } from './answer-cap';
import { unreadable } from './failures';
import { normaliseFinishReason } from './finish-reason';
import { type Thoughts, thoughtMembers } from './thoughts';

/** Where a choice belongs: its own index, or where it stands when it has none. */
export function choicePlaceOf(index: unknown, position: number, choices: number): number {
  const place = index ?? position;
  const asked = typeof place === 'number' && Number.isInteger(place);
  if (asked && place >= 0 && place < choices) return place;
  throw unreadable('the vendor answered a choice that was not asked for');
}

/** A call of a tool, in our form; arguments are a JSON text. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** One of the answers that a vendor gave. */
export interface Choice {
  readonly index: number;
  readonly thoughts: Thoughts;
  readonly text: string;
  readonly calls: readonly ToolCall[];
  /** The vendor's word or ours. */
  readonly reason: string;
}

/** Writes whole answers in our form, as far as they were asked for. */
export function writeCompletion(
  call: VendorCall,
  choices: readonly Choice[],
  usage: VendorCompletion['usage'],
): VendorCompletion {
  const written = choices.map((choice): WrittenChoice => {
    const kept = keepAsked(call, choice);
    const { calls, index, reason, text, thoughts } = kept;
    const tools = calls.map(({ id, ...called }) => ({ id, type: 'function', function: called }));
    const message = {
      role: 'assistant',
      content: text === '' && tools.length > 0 ? null : text,
      ...thoughtMembers(thoughts),
      ...(tools.length > 0 ? { tool_calls: tools } : {}),
    };
    return {
      written: { index, message, finish_reason: normaliseFinishReason(reason) },
      text: thoughts.text + text + textOfCalls(calls),
      isPastAsked: kept !== choice,
    };
  });
  return joinChoices(written, usage);
}

/** A choice as the client gets it. */
export interface WrittenChoice {
  readonly written: JsonObject & { readonly finish_reason: FinishReason };
  /** All that it says. */
  readonly text: string;
  readonly isPastAsked: boolean;
}

/** The whole answer of which these are the choices. */
export function joinChoices(
  choices: readonly WrittenChoice[],
  usage: VendorCompletion['usage'],
): VendorCompletion {
  const isPastAsked = choices.some((choice) => choice.isPastAsked);
  return {
    choices: Buffer.from(JSON.stringify(choices.map(({ written }) => written))),
    text: choices.map(({ text }) => text).join(''),
    finishReason: choices[0]?.written.finish_reason ?? normaliseFinishReason(''),
    // The vendor's count is of all that it made.
    ...(isPastAsked ? { usage: undefined, partUsage: usage, isPastAsked } : { usage }),
  };
}

function keepAsked(call: VendorCall, choice: Choice): Choice {
  const kept = withinCap(call, {
    thoughts: choice.thoughts.text,
    text: choice.text,
    besides: textOfCalls(choice.calls),
  });
  if (!kept.isPastAsked) return choice;
  // A signature is of a thought that was not cut.
  const thoughts = { text: kept.thoughts, signed: [] };
  return { ...choice, thoughts, text: kept.text, calls: [], reason: 'length' };
}

function textOfCalls(calls: readonly ToolCall[]): string {
  return calls.map((called) => called.name + called.arguments).join('');
}
