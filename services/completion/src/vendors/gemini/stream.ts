import { asList, asObject, type JsonObject } from '@tollgate/core';
import type { AnswerPiece, VendorCall } from '../../domain/vendor';
import { choicePlaceOf } from '../protocol/answer-form';
import { createEventReader, readEvent } from '../protocol/event-reader';
import { streamEnded } from '../protocol/failures';
import { createPieceWriter, textDelta, thoughtDelta, toolDelta } from '../protocol/pieces';
import type { ReadBounds, VendorStreamReader } from '../protocol/vendor-protocol';
import { failureOf } from './errors';
import {
  answerParts,
  finishReasonOf,
  isBlocked,
  isThoughtPart,
  partTextOf,
  toolCallOf,
  toolIdOf,
  vendorUsageOf,
} from './response';

/**
 * Turns a stream of partial answers into our pieces. A call of a tool comes whole, and there
 * is no last word: the body ends after the last candidate did.
 */
export function createStreamReader(bounds: ReadBounds, call: VendorCall): VendorStreamReader {
  const writer = createPieceWriter(bounds, call);
  /** Calls that each candidate made so far. */
  const calls = new Map<number, number>();
  let promptTold: unknown;

  const readPart = (index: number, part: JsonObject, pieces: AnswerPiece[]) => {
    const text = partTextOf(part);
    const write = isThoughtPart(part) ? thoughtDelta : textDelta;
    if (text !== '') writer.delta(index, write(text), text, pieces);
    const made = toolCallOf(part);
    if (made === undefined) return;
    const place = calls.get(index) ?? 0;
    calls.set(index, place + 1);
    const step = { ...made, id: made.id || toolIdOf(call, index, place) };
    writer.delta(index, toolDelta(place, step), made.name + made.arguments, pieces);
  };

  const readCandidate = (candidate: JsonObject, position: number, pieces: AnswerPiece[]) => {
    // Beside a whole answer one that was not asked for spoils neither it nor its counts.
    if (writer.progress === 'finished') return;
    const index = choicePlaceOf(candidate.index, position, call.choices);
    if (writer.isFinished(index)) return;
    writer.begin(index, pieces);
    for (const part of answerParts(candidate)) readPart(index, part, pieces);
    if (typeof candidate.finishReason !== 'string') return;
    writer.finish(index, finishReasonOf(candidate, calls.has(index)), pieces);
  };

  return createEventReader(bounds, writer, (data, pieces) => {
    const answer = readEvent(data);
    const error = asObject(answer.error);
    if (error !== undefined) {
      const status = typeof error.code === 'number' ? error.code : undefined;
      const internalMessage = `the vendor streamed an error with code ${status ?? 'none'}`;
      const begun = writer.progress !== 'none';
      throw streamEnded({ status, error, internalMessage }, begun, (said) =>
        failureOf(said, bounds),
      );
    }
    if (isBlocked(answer)) {
      for (let index = 0; index < call.choices; index += 1) {
        writer.begin(index, pieces);
        writer.finish(index, 'content_filter', pieces);
      }
    }
    for (const [position, candidate] of asList(answer.candidates).entries()) {
      readCandidate(asObject(candidate) ?? {}, position, pieces);
    }
    // The counts run on: before the answer has ended only that of the prompt is final.
    const usage = vendorUsageOf(answer.usageMetadata);
    if (usage === undefined) return false;
    if (writer.progress === 'finished') pieces.push({ kind: 'usage', usage });
    else if (usage.prompt !== promptTold) pieces.push({ kind: 'prompt', usage });
    promptTold = usage.prompt;
    return false;
  });
}
