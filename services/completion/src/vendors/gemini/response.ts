import { asList, asObject, asText, type JsonObject } from '@tollgate/core';
import type { VendorCall, VendorCompletion } from '../../domain/vendor';
import type { VendorUsage } from '../../domain/vendor-usage';
import {
  type Choice,
  choicePlaceOf,
  type ToolCall,
  writeCompletion,
} from '../protocol/answer-form';
import { unreadable } from '../protocol/failures';
import { NO_THOUGHTS } from '../protocol/thoughts';
import { readAnswer } from '../protocol/whole-reader';

/** Reads a whole answer and writes it in our form. */
export function parseCompletion(body: Buffer, call: VendorCall): VendorCompletion {
  const answer = readAnswer(body);
  const usage = vendorUsageOf(answer.usageMetadata);
  if (isBlocked(answer)) return writeCompletion(call, blockedChoices(call), usage);
  const candidates = asList(answer.candidates).map((candidate) => asObject(candidate) ?? {});
  if (candidates.length === 0) throw unreadable('the vendor answered without candidates');
  if (candidates.length > call.choices) throw unreadable('the vendor answered more than was asked');
  return writeCompletion(
    call,
    candidates.map((candidate, position) => choiceOf(candidate, position, call)),
    usage,
  );
}

function choiceOf(candidate: JsonObject, position: number, call: VendorCall): Choice {
  const index = choicePlaceOf(candidate.index, position, call.choices);
  const parts = answerParts(candidate);
  const calls = parts
    .map(toolCallOf)
    .filter((made) => made !== undefined)
    .map((made, place) => ({ ...made, id: made.id || toolIdOf(call, index, place) }));
  const textOfAll = (isThought: boolean) =>
    parts.filter((part) => isThoughtPart(part) === isThought).map(partTextOf);
  const thoughts = { text: textOfAll(true).join(''), signed: [] };
  const text = textOfAll(false).join('');
  return { index, thoughts, text, calls, reason: finishReasonOf(candidate, calls.length > 0) };
}

/** The prompt was blocked, and nothing was made of it. */
export function isBlocked(answer: JsonObject): boolean {
  const blockReason = asObject(answer.promptFeedback)?.blockReason;
  return typeof blockReason === 'string' && asList(answer.candidates).length === 0;
}

function blockedChoices({ choices }: VendorCall): readonly Choice[] {
  return Array.from({ length: choices }, (_, index) => ({
    index,
    thoughts: NO_THOUGHTS,
    text: '',
    calls: [],
    reason: 'content_filter',
  }));
}

/** Parts of a candidate, thoughts among them. */
export function answerParts(candidate: JsonObject): readonly JsonObject[] {
  return asList(asObject(candidate.content)?.parts).map((part) => asObject(part) ?? {});
}

/** The text of the part is what the model thinks, and not its answer. */
export function isThoughtPart({ thought }: JsonObject): boolean {
  return thought === true;
}

/** The text of a part. */
export function partTextOf(part: JsonObject): string {
  return asText(part.text);
}

/** The call that a part is; its id is empty for models that give none. */
export function toolCallOf(part: JsonObject): ToolCall | undefined {
  const made = asObject(part.functionCall);
  if (made === undefined) return undefined;
  const input = JSON.stringify(asObject(made.args) ?? {});
  return { id: asText(made.id), name: asText(made.name), arguments: input };
}

/** An id for a call that has none: unique in the conversation, because the request's is. */
export function toolIdOf({ requestId }: VendorCall, index: number, place: number): string {
  return `call_${requestId}_${index}_${place}`;
}

/** Our word for why a candidate ended: one that calls tools ends like any other. */
export function finishReasonOf({ finishReason }: JsonObject, called: boolean): string {
  switch (finishReason) {
    case 'MAX_TOKENS':
      return 'length';
    case 'SAFETY':
    case 'RECITATION':
    case 'LANGUAGE':
    case 'BLOCKLIST':
    case 'PROHIBITED_CONTENT':
    case 'SPII':
    case 'IMAGE_SAFETY':
    case 'IMAGE_PROHIBITED_CONTENT':
    case 'IMAGE_RECITATION':
      return 'content_filter';
    default:
      return called ? 'tool_calls' : 'stop';
  }
}

/**
 * What the model thought is counted apart from its answer, and what tools brought apart from the
 * prompt; we count both in them. A count that is no number makes the sum NaN, which is not believed.
 */
export function vendorUsageOf(value: unknown): VendorUsage | undefined {
  const usage = asObject(value);
  if (usage === undefined) return undefined;
  return {
    prompt: sumOf(usage.promptTokenCount, usage.toolUsePromptTokenCount),
    completion: sumOf(usage.candidatesTokenCount, usage.thoughtsTokenCount),
    cached: usage.cachedContentTokenCount ?? 0,
    reasoning: usage.thoughtsTokenCount,
    promptAudio: audioIn(usage.promptTokensDetails, usage.toolUsePromptTokensDetails),
    completionAudio: audioIn(usage.candidatesTokensDetails),
  };
}

/** Of lists that have one count for each kind of content. */
function audioIn(...details: readonly unknown[]): number | undefined {
  const counted = details
    .flatMap(asList)
    .map(asObject)
    .filter((entry) => entry?.modality === 'AUDIO');
  return counted.length === 0 ? undefined : sumOf(...counted.map((entry) => entry?.tokenCount));
}

// An absent count is zero: the vendor leaves zeroes out.
function sumOf(...counts: readonly unknown[]): number {
  return counts.reduce((sum: number, count) => {
    if (count === undefined || count === null) return sum;
    return typeof count === 'number' && count >= 0 ? sum + count : Number.NaN;
  }, 0);
}
