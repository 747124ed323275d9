import { type ModelKind, type Nano, parseAmount } from '@tollgate/core';
import type { PriceSettings } from './model';

/** What a vendor's model is asked for; `other` is nothing that this service could ask it for. */
export type VendorModelKind = ModelKind | 'other';

/** How long prompts and answers of a model may be, in tokens. */
export interface ModelLimits {
  readonly contextLength: number;
  readonly maxCompletionTokens: number;
}

/**
 * Context and longest answer, then the prices of `listPriceOf`, and the longest prompt that has them
 * where longer ones are dearer.
 */
type Row = readonly [
  context: number,
  longest: number,
  prices: readonly string[],
  longestAtPrice?: number,
];

/**
 * What vendors' public documentation said on 22 November 2026: how many tokens a prompt and an answer
 * may have, and prices in US dollars per 1M tokens: prompt, completion, and where they have prices of
 * their own the cached prompt and the writing of the cache. Vendors change their prices: these are what
 * a model begins with, and the operator checks them. Where long prompts are dearer, a model begins with
 * the price of the others and a context that ends where that does; both are the operator's to raise. A
 * model that is not here begins with a default and is marked so. `auto` prefers the models of a first
 * channel in this order: of each vendor the general ones first, the newest before the older.
 */
const PUBLISHED: Readonly<Record<string, Row>> = {
  'gpt-5.5': [1_050_000, 128_000, ['5', '30', '0.50'], 272_000],
  'gpt-5.4': [1_050_000, 128_000, ['2.50', '15', '0.25'], 272_000],
  'gpt-5.4-mini': [400_000, 128_000, ['0.75', '4.50', '0.075']],
  'gpt-5.2': [400_000, 128_000, ['1.75', '14', '0.175']],
  'gpt-5.1': [400_000, 128_000, ['1.25', '10', '0.125']],
  'gpt-5': [400_000, 128_000, ['1.25', '10', '0.125']],
  'gpt-5-mini': [400_000, 128_000, ['0.25', '2', '0.025']],
  'gpt-5-nano': [400_000, 128_000, ['0.05', '0.40', '0.005']],
  'gpt-4.1': [1_047_576, 32_768, ['2', '8', '0.50']],
  'gpt-4.1-mini': [1_047_576, 32_768, ['0.40', '1.60', '0.10']],
  'gpt-4.1-nano': [1_047_576, 32_768, ['0.10', '0.40', '0.025']],
  'gpt-4o': [128_000, 16_384, ['2.50', '10', '1.25']],
  'gpt-4o-mini': [128_000, 16_384, ['0.15', '0.60', '0.075']],
  o3: [200_000, 100_000, ['2', '8', '0.50']],
  'o4-mini': [200_000, 100_000, ['1.10', '4.40', '0.275']],
  'o3-mini': [200_000, 100_000, ['1.10', '4.40', '0.55']],
  o1: [200_000, 100_000, ['15', '60', '7.50']],
  'gpt-4-turbo': [128_000, 4_096, ['10', '30']],
  'gpt-3.5-turbo': [16_385, 4_096, ['0.50', '1.50']],
  'gpt-4': [8_192, 8_192, ['30', '60']],
  'gpt-5-pro': [400_000, 272_000, ['15', '120']],
  'o3-pro': [200_000, 100_000, ['20', '80']],
  'o1-pro': [200_000, 100_000, ['150', '600']],
  'text-embedding-3-small': [8_192, 8_192, ['0.02', '0']],
  'text-embedding-3-large': [8_192, 8_192, ['0.13', '0']],
  'text-embedding-ada-002': [8_192, 8_192, ['0.10', '0']],
  'claude-opus-5-5': [1_000_000, 128_000, ['4', '20', '0.20', '5']],
  'claude-sonnet-5-5': [1_000_000, 128_000, ['2', '10', '0.10', '2.50']],
  'claude-haiku-5-5': [1_000_000, 128_000, ['0.10', '0.50', '0.01', '0.125'], 100_000],
  'claude-opus-5': [1_000_000, 128_000, ['5', '25', '0.50', '6.25']],
  'claude-sonnet-5': [1_000_000, 128_000, ['2', '10', '0.20', '2.50']],
  'claude-opus-4-8': [1_000_000, 128_000, ['5', '25', '0.50', '6.25']],
  'claude-opus-4-7': [1_000_000, 128_000, ['5', '25', '0.50', '6.25']],
  'claude-opus-4-6': [1_000_000, 128_000, ['5', '25', '0.50', '6.25']],
  'claude-sonnet-4-6': [1_000_000, 128_000, ['3', '15', '0.30', '3.75']],
  'claude-opus-4-5': [200_000, 64_000, ['5', '25', '0.50', '6.25']],
  'claude-sonnet-4-5': [200_000, 64_000, ['3', '15', '0.30', '3.75']],
  'claude-haiku-4-5': [200_000, 64_000, ['1', '5', '0.10', '1.25']],
  'claude-opus-4-1': [200_000, 32_000, ['15', '75', '1.50', '18.75']],
  'gemini-2.5-pro': [1_048_576, 65_536, ['1.25', '10'], 200_000],
  'gemini-2.5-flash': [1_048_576, 65_536, ['0.30', '2.50']],
  'gemini-2.5-flash-lite': [1_048_576, 65_536, ['0.10', '0.40']],
  'gemini-2.0-flash': [1_048_576, 8_192, ['0.10', '0.40']],
};
const PLACES = new Map(Object.keys(PUBLISHED).map((name, place) => [name, place]));

/** Taken for a model whose vendor tells nothing of it: what most models have at least. */
const UNKNOWN_CONTEXT_LENGTH = 128_000;

/** Lists of vendors do not tell what makes text from what makes vectors; their names do. */
const EMBEDDING_NAME = /embed/;
/** Models of sound, pictures and films, those that judge or sort texts, and those of plain texts. */
const OTHER_NAME =
  /(?:^|[-_./])(?:tts|whisper|dall-e|sora|image|imagen|veo|lyria|banana|audio|realtime|transcribe|moderation|rerank|reranker|babbage|davinci)(?:[-_./]|$)/;
/** Their vendor answers them by another interface than chat completions alone. */
const ASKED_ELSEWHERE: ReadonlySet<string> = new Set([
  'gpt-3.5-turbo-instruct',
  'gpt-5-pro',
  'o1-pro',
  'o3-deep-research',
  'o3-pro',
  'o4-mini-deep-research',
]);

/** What a vendor's model can be asked for, by its name. */
export function vendorModelKindOf(name: string): VendorModelKind {
  if (EMBEDDING_NAME.test(name)) return 'embedding';
  return OTHER_NAME.test(name) || ASKED_ELSEWHERE.has(name) ? 'other' : 'chat';
}

/** Before which others a first channel offers the model; the last for one that is not known. */
export function modelPreferenceOf(name: string): number {
  return PLACES.get(name) ?? PLACES.size;
}

/**
 * The limits that the vendor told, or else published, as far as its list price holds; those that
 * nobody told are absent.
 */
export function knownLimitsOf(name: string, told: Partial<ModelLimits>): Partial<ModelLimits> {
  const [context, longest, , longestAtPrice = Number.POSITIVE_INFINITY] = rowOf(name) ?? [];
  const vendorContext = told.contextLength ?? context;
  const contextLength =
    vendorContext === undefined ? undefined : Math.min(vendorContext, longestAtPrice);
  const answer = told.maxCompletionTokens ?? longest;
  const maxCompletionTokens =
    contextLength === undefined || answer === undefined ? answer : Math.min(answer, contextLength);
  return {
    ...(contextLength === undefined ? {} : { contextLength }),
    ...(maxCompletionTokens === undefined ? {} : { maxCompletionTokens }),
  };
}

/**
 * The limits that a new model begins with. A longest answer that nobody told is the context: a smaller
 * one would refuse requests that the vendor serves, and give away what it answers beyond.
 */
export function firstLimitsOf(name: string, told: Partial<ModelLimits>): ModelLimits {
  const known = knownLimitsOf(name, told);
  const { maxCompletionTokens } = known;
  const contextLength =
    known.contextLength ?? Math.max(UNKNOWN_CONTEXT_LENGTH, maxCompletionTokens ?? 0);
  return { contextLength, maxCompletionTokens: maxCompletionTokens ?? contextLength };
}

/** Tokens that the vendor takes, whatever their price; undefined when that is not known. */
export function vendorContextOf(name: string): number | undefined {
  return rowOf(name)?.[0];
}

/** The vendor's price of the model; undefined when it is not known in this currency. */
export function listPriceOf(name: string, currency: string): PriceSettings | undefined {
  if (currency !== 'USD') return undefined;
  const [, , prices] = rowOf(name) ?? [];
  const [prompt, completion, cachedPrompt, cacheWrite] = prices?.map(toNano) ?? [];
  if (prompt === undefined || completion === undefined) return undefined;
  return {
    prompt,
    completion,
    cachedPrompt: cachedPrompt ?? prompt,
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
    source: 'list',
  };
}

function rowOf(name: string): Row | undefined {
  return Object.hasOwn(PUBLISHED, name) ? PUBLISHED[name] : undefined;
}

function toNano(text: string): Nano {
  const amount = parseAmount(text);
  if (amount === undefined) throw new Error(`${text} is no price`);
  return amount;
}
