import type { Thought } from '@tollgate/core';
import {
  type AnswerPiece,
  completionTokensMaxOf,
  finishOf,
  type VendorCall,
} from '../../domain/vendor';
import { type AnswerCap, createAnswerCap } from './answer-cap';
import { unreadable } from './failures';
import { normaliseFinishReason } from './finish-reason';
import type { AnswerProgress, ReadBounds } from './vendor-protocol';

/**
 * Every event costs time to read, also one without text: signatures, pings, counts.
 * One of a single token has some hundred characters, and two thousand with the scores of twenty
 * others.
 */
const EVENT_CHARACTERS_PER_TOKEN_MAX = 4 * 1024;
const EVENT_CHARACTERS_BEYOND_MAX = 1024 * 1024;
const CHARACTERS_PER_EVENT_MIN = 32;
const ROLE_DELTA = '"delta":{"role":"assistant","content":""}';

/**
 * Writes the pieces of an answer: each choice begins with one role piece and ends with one finish
 * piece, whatever the vendor makes of it.
 */
export interface PieceWriter {
  readonly progress: Exclude<AnswerProgress, 'over'>;
  isFinished(index: number): boolean;
  /** Writes the role piece; nothing after the first time. */
  begin(index: number, pieces: AnswerPiece[]): void;
  /** Every choice has ended, and one of them because more came than was asked for. */
  readonly isPastAsked: boolean;
  /**
   * `members` is JSON without its braces, `"delta":{...}` first; `text` is what it generated. What is
   * past the tokens that were asked for ends its choice, and is not passed on.
   */
  delta(index: number, members: string, text: string, pieces: AnswerPiece[]): void;
  /** Counts an event of so many characters, whatever is in it. */
  noteEvent(characters: number): void;
  /** `reason` is the vendor's word or ours. */
  finish(index: number, reason: string, pieces: AnswerPiece[]): void;
}

/** Starts without any choice. */
export function createPieceWriter(bounds: ReadBounds, call: VendorCall): PieceWriter {
  const begun = new Set<number>();
  const finished = new Set<number>();
  const caps: AnswerCap[] = [];
  let isAnyPast = false;
  const tokensMax = completionTokensMaxOf(call);
  const readMax = EVENT_CHARACTERS_BEYOND_MAX + EVENT_CHARACTERS_PER_TOKEN_MAX * tokensMax;
  let read = 0;
  const finish: PieceWriter['finish'] = (index, vendorReason, pieces) => {
    if (finished.has(index)) return;
    finished.add(index);
    pieces.push(finishOf(index, normaliseFinishReason(vendorReason)));
  };
  return {
    get progress() {
      if (finished.size === call.choices) return 'finished';
      return begun.size > 0 ? 'begun' : 'none';
    },
    get isPastAsked() {
      return isAnyPast && finished.size === call.choices;
    },
    isFinished: (index) => finished.has(index),
    begin(index, pieces) {
      if (begun.has(index)) return;
      begun.add(index);
      pieces.push({ kind: 'delta', choices: choicesOf(index, ROLE_DELTA), text: '' });
    },
    delta(index, members, text, pieces) {
      caps[index] ??= createAnswerCap(call);
      const cap = caps[index];
      if (cap.isPast) return;
      const admitted = cap.admit(text);
      if (cap.isPast) {
        isAnyPast = true;
        const kept = text.slice(0, admitted);
        // Nothing but text has a meaning when its end is missing.
        const write = [textDelta, thoughtDelta].find((each) => members === each(text));
        if (kept !== '' && write !== undefined) {
          const choices = choicesOf(index, write(kept));
          pieces.push({ kind: 'delta', choices, text: kept, choice: index });
        }
        pieces.push({ kind: 'past_asked' });
        finish(index, 'length', pieces);
        return;
      }
      const choices = choicesOf(index, members);
      // Numbers and broken characters may be longer when they are written anew.
      if (choices.length > bounds.lineBytesMax) throw unreadable('a vendor event is too long');
      pieces.push({ kind: 'delta', choices, text, choice: index });
    },
    noteEvent(eventCharacters) {
      read += Math.max(CHARACTERS_PER_EVENT_MIN, eventCharacters);
      if (read > readMax) throw unreadable('the vendor streamed more events than was asked');
    },
    finish,
  };
}

function choicesOf(index: number, members: string): Buffer {
  return Buffer.from(`[{"index":${index},${members},"finish_reason":null}]`);
}

/** Text as a delta. */
export function textDelta(text: string): string {
  return `"delta":{"content":${JSON.stringify(text)}}`;
}

/** What the model thinks, as a delta. */
export function thoughtDelta(text: string): string {
  return `"delta":{"reasoning_content":${JSON.stringify(text)}}`;
}

/** Ends a thought that its vendor signed. Its text went ahead: the deltas since the last such end. */
export function signedThoughtDelta(block: Thought): string {
  return `"delta":{"thinking_blocks":[${JSON.stringify(block)}]}`;
}

/** One step of a tool call: its beginning has id and name, what follows only arguments. */
export function toolDelta(
  place: number,
  step: { readonly id?: string; readonly name?: string; readonly arguments: string },
): string {
  const { id, name } = step;
  const opening = id === undefined ? {} : { id, type: 'function' };
  const called = { ...(name === undefined ? {} : { name }), arguments: step.arguments };
  const call = { index: place, ...opening, function: called };
  return `"delta":{"tool_calls":[${JSON.stringify(call)}]}`;
}
