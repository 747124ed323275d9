import { asList, asObject, asText, type JsonObject } from '@tollgate/core';
import type { VendorCall, VendorCompletion } from '../../domain/vendor';
import type { VendorUsage } from '../../domain/vendor-usage';
import { withinCap } from '../protocol/answer-cap';
import { choicePlaceOf, joinChoices, type WrittenChoice } from '../protocol/answer-form';
import { unreadable } from '../protocol/failures';
import { normaliseFinishReason } from '../protocol/finish-reason';
import { thoughtMembers } from '../protocol/thoughts';
import { readAnswer } from '../protocol/whole-reader';
import { withArgumentText } from './call-arguments';

/** Reads a whole answer and writes `choices` anew, in our form. */
export function parseCompletion(body: Buffer, call: VendorCall): VendorCompletion {
  const answer = readOpenaiAnswer(body);
  const choices = asList(answer.choices).map(asObject);
  if (choices[0] === undefined) throw unreadable('the vendor answered without choices');
  if (choices.length > call.choices) throw unreadable('the vendor answered more than was asked');
  const written = choices.map((choice = {}, position) =>
    choiceOf(call, choice, choicePlaceOf(choice.index, position, call.choices)),
  );
  return joinChoices(written, vendorUsageOf(answer.usage));
}

/** The object of a whole answer, which may be an error all the same. */
export function readOpenaiAnswer(body: Buffer, valuesMax?: number): JsonObject {
  const answer = readAnswer(body, valuesMax);
  if (answer.error !== undefined && answer.error !== null) {
    throw unreadable('the vendor answered an error with status 200');
  }
  return answer;
}

/** Token counts as reported; what they are worth is decided elsewhere. */
export function vendorUsageOf(value: unknown): VendorUsage | undefined {
  const usage = asObject(value);
  if (usage === undefined) return undefined;
  const ofPrompt = asObject(usage.prompt_tokens_details);
  const ofCompletion = asObject(usage.completion_tokens_details);
  return {
    prompt: usage.prompt_tokens,
    completion: completionTokensIn(usage, ofCompletion?.reasoning_tokens),
    cached: ofPrompt?.cached_tokens,
    // Not a part of the protocol; services in front of other vendors send it by this name.
    cacheWrite: ofPrompt?.cache_write_tokens,
    reasoning: ofCompletion?.reasoning_tokens,
    promptAudio: ofPrompt?.audio_tokens,
    completionAudio: ofCompletion?.audio_tokens,
  };
}

/** xAI counts thoughts beside the answer: then its sum alone has all that was generated. */
function completionTokensIn(usage: JsonObject, reasoning: unknown): unknown {
  const { completion_tokens: completion, prompt_tokens: prompt, total_tokens: total } = usage;
  if (typeof completion !== 'number' || typeof reasoning !== 'number') return completion;
  if (typeof prompt !== 'number' || typeof total !== 'number') return completion;
  const isBeside = reasoning > 0 && total - prompt === completion + reasoning;
  return isBeside ? total - prompt : completion;
}

/** Everything generated in a message or a delta: thoughts, content, refusal and tool calls. */
export function messageTextOf(message: JsonObject | undefined): string {
  if (message === undefined) return '';
  return messageThoughtsOf(message) + messageContentOf(message) + textBesides(message);
}

/** What a message or a delta says: a text, or parts of it from vendors that think in parts. */
export function messageContentOf({ content }: JsonObject): string {
  return typeof content === 'string' ? content : textOfParts(content, 'text');
}

/** What a message or a delta thinks, by each of the names that vendors of this protocol have for it. */
export function messageThoughtsOf({ content, reasoning, reasoning_content }: JsonObject): string {
  return asText(reasoning_content) || asText(reasoning) || textOfParts(content, 'thinking');
}

function textOfParts(parts: unknown, type: 'text' | 'thinking'): string {
  return asList(parts)
    .map((part) => asObject(part) ?? {})
    .filter((part) => part.type === type)
    .map(({ [type]: text }) => asText(text) || textOfParts(text, 'text'))
    .join('');
}

function textBesides(message: JsonObject): string {
  const refusal = asText(message.refusal);
  if (message.tool_calls === undefined) return refusal;
  const called = asList(message.tool_calls).map((call) => {
    const target = asObject(asObject(withArgumentText(call))?.function);
    return asText(target?.name) + asText(target?.arguments);
  });
  return refusal + called.join('');
}

function choiceOf(call: VendorCall, choice: JsonObject, index: number): WrittenChoice {
  const message = asObject(choice.message) ?? {};
  const { isPastAsked, text, thoughts } = withinCap(call, {
    thoughts: messageThoughtsOf(message),
    text: messageContentOf(message),
    besides: textBesides(message),
  });
  const thinking = thoughtMembers({ text: thoughts, signed: [] });
  if (isPastAsked) {
    const kept = { role: 'assistant', content: text, ...thinking };
    return {
      written: { index, message: kept, finish_reason: 'length' },
      text: thoughts + text,
      isPastAsked,
    };
  }
  const tools = asList(message.tool_calls).map(withArgumentText);
  const isSilent = text === '' && typeof message.content !== 'string' && tools.length > 0;
  const written = {
    index,
    message: {
      role: 'assistant',
      content: isSilent ? null : text,
      ...thinking,
      ...(typeof message.refusal === 'string' ? { refusal: message.refusal } : {}),
      ...(tools.length > 0 ? { tool_calls: tools } : {}),
    },
    ...(asObject(choice.logprobs) === undefined ? {} : { logprobs: choice.logprobs }),
    finish_reason: normaliseFinishReason(asText(choice.finish_reason)),
  };
  return { written, text: messageTextOf(message), isPastAsked };
}
