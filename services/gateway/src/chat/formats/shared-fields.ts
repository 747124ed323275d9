import {
  CHOICES_MAX,
  FALLBACK_MODELS_MAX,
  type JsonObject,
  REQUESTED_MODEL_LENGTH_MAX,
} from '@tollgate/core';
import { z } from 'zod';
import { invalidField } from '../../http/errors';
import { REASONING_EFFORTS, type ReasoningEffort } from './canonical';
import { isAbsent, objectsIn, stringIn } from './fields';

/** Bounds of requests of all formats: the schemas and the checks by hand have them from here. */
export const CHAT_BOUNDS = {
  modelLengthMax: REQUESTED_MODEL_LENGTH_MAX,
  /** Names in `models`. */
  fallbacksMax: FALLBACK_MODELS_MAX,
  messagesMax: 2048,
  temperatureMax: 2,
  topPMax: 1,
  penaltyMin: -2,
  penaltyMax: 2,
  /** The wire's bound; a model's own cap is checked where models are known. */
  maxTokensMax: 4_294_967_295,
  stopMax: 4,
  stopLengthMax: 256,
  userLengthMax: 512,
  choicesMax: CHOICES_MAX,
  toolsMax: 128,
  toolNameLengthMax: 64,
  toolCallsMax: 128,
  toolCallIdLengthMax: 256,
  topLogprobsMax: 20,
  logitBiasMin: -100,
  logitBiasMax: 100,
} as const;

/** Between texts that were apart: the canonical form has one text for each message. */
export const BETWEEN_TEXTS = '\n\n';

/** `model` and `models`, which every format of messages has. */
export const requestedModelSchema = z
  .string()
  .min(1)
  .max(CHAT_BOUNDS.modelLengthMax)
  .describe('A model name, a routing name (auto, auto-cheap, auto-fast) or POOL:NAME.');
export const fallbacksSchema = z
  .array(z.string().min(1).max(CHAT_BOUNDS.modelLengthMax))
  .max(CHAT_BOUNDS.fallbacksMax)
  .nullish()
  .describe('Names to be tried, in order, when no channel of `model` answers.');

/** Checks a text that has to be there. */
export function requireText(value: unknown, param: string, lengthMax: number): string {
  if (typeof value === 'string' && value.length >= 1 && value.length <= lengthMax) return value;
  throw invalidField(param, `must be a string of 1 to ${lengthMax} characters.`);
}

/** Whether it is a list of so few texts, each of 1 to so many characters. */
export function isTextList(value: unknown, countMax: number, lengthMax: number): value is string[] {
  return (
    Array.isArray(value) &&
    value.length <= countMax &&
    value.every((text) => typeof text === 'string' && text.length >= 1 && text.length <= lengthMax)
  );
}

/** A text as it is, or the texts of an array of nothing else, each with these fields at most. */
export function textsIn(
  value: unknown,
  param: string,
  {
    noun,
    type,
    known,
  }: {
    readonly noun: 'block' | 'part';
    readonly type: string;
    readonly known: ReadonlySet<string>;
  },
): string {
  if (typeof value === 'string') return value;
  const texts = objectsIn(value, param, noun).map((each, index) => {
    const place = `${param}[${index}]`;
    if (each.type !== type) throw invalidField(`${place}.type`, `must be ${type}.`);
    return stringIn(each, 'text', known, place);
  });
  return texts.join(BETWEEN_TEXTS);
}

/** Checks `model`, which every format has. */
export function checkModel(value: unknown): string {
  return requireText(value, 'model', CHAT_BOUNDS.modelLengthMax);
}

/** Checks `models`, which every format may have: what is tried after `model`. */
export function checkFallbacks(value: unknown): readonly string[] {
  if (isAbsent(value)) return [];
  const { fallbacksMax, modelLengthMax } = CHAT_BOUNDS;
  if (isTextList(value, fallbacksMax, modelLengthMax)) return value;
  const rule = `must be at most ${fallbacksMax} names, each of 1 to ${modelLengthMax} characters.`;
  throw invalidField('models', rule);
}

/** Checks who asks, a hint for the vendor. */
export function checkUser(value: unknown, param = 'user'): string {
  if (isAbsent(value)) return '';
  const lengthMax = CHAT_BOUNDS.userLengthMax;
  if (typeof value !== 'string' || value.length > lengthMax) {
    throw invalidField(param, `must be a string of at most ${lengthMax} characters.`);
  }
  return value;
}

/** The name of a tool or of a schema, which has as many characters. */
export function requireName({ name }: JsonObject, place: string): string {
  return requireText(name, `${place}.name`, CHAT_BOUNDS.toolNameLengthMax);
}

/** There is one tier: each of the words that a format has leaves the choice to the service. */
export function checkServiceTier(value: unknown, tiers: readonly string[]): void {
  if (isAbsent(value) || tiers.some((tier) => tier === value)) return;
  throw invalidField('service_tier', `must be ${tiers.join(' or ')}.`);
}

/** Checks how much may be thought, by the name that the format has for it. */
export function checkEffort(
  value: unknown,
  param: string,
  efforts: readonly ReasoningEffort[] = REASONING_EFFORTS,
): ReasoningEffort | undefined {
  if (isAbsent(value)) return undefined;
  const effort = efforts.find((each) => each === value);
  if (effort !== undefined) return effort;
  throw invalidField(param, `must be one of ${efforts.join(', ')}.`);
}
