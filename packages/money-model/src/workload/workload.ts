import type { KeyBudget } from '@tollgate/completion/model-api';
import { type Nano, nano, type UnitPrices, type UsageRecord } from '@tollgate/core';
import type { Random } from '../random';
import type { Process } from '../world/process';
import type { VendorScript } from './vendor-script';
import { createVendorScript } from './vendor-script';

/** One, two, a half and one and a quarter nano-unit for a token. */
export const PRICES: UnitPrices = {
  prompt: nano(1_000_000n),
  completion: nano(2_000_000n),
  cachedPrompt: nano(500_000n),
  cacheWrite: nano(1_250_000n),
};

/** The price of the model that is fallen back to. */
export const DEAR_PRICES: UnitPrices = {
  prompt: nano(3_000_000n),
  completion: nano(6_000_000n),
  cachedPrompt: nano(1_500_000n),
  cacheWrite: nano(3_750_000n),
};

/** The account whose own channel is in the table. */
export const OWNER_OF_A_CHANNEL = 'acc_1';

/** The most tokens of an answer whose request does not say it. */
export const COMPLETION_TOKENS_MAX = 40;
/** What every text has: a crash leaves only its bytes to judge it by. */
export const BYTES_PER_TOKEN = 4;
/** What a request asks for beyond text. */
export type RequestContent = 'text' | 'tools' | 'image' | 'vectors';

const MESSAGES = '[{"role":"user","content":"Hi there, vendors!"}]';
const WITH_IMAGE =
  '[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://x.example/y.png"}}]}]';
/** Of the model's tools, as completion gets them. */
const TOOLS = Buffer.from('{"tools":[{"type":"function","function":{"name":"nowadays"}}]}  ');
/** What completion takes an image for whose tokens nobody has counted. */
const IMAGE_TOKENS = 2_000;

/** The members of the request that its vendor gets beside the messages. */
export function membersOf({ asks }: Pick<ModelRequest, 'asks'>): Buffer {
  return asks === 'tools' ? TOOLS : Buffer.alloc(0);
}

/** The tokens of its prompt by our count. */
export function promptTokensOf(request: Pick<ModelRequest, 'asks' | 'messages'>): number {
  return countPrompt(request.messages, membersOf(request));
}

/** The same of what completion hands to its counter. */
export function countPrompt(messages: Buffer, members: Buffer): number {
  const text = (messages.length + members.length) / BYTES_PER_TOKEN;
  return text + (messages.includes('image_url') ? IMAGE_TOKENS : 0);
}
const UNREADABLE = 'x'.repeat(300);

/** One request with everything that the check knows about it. */
export interface ModelRequest {
  readonly requestId: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly budget: KeyBudget | undefined;
  readonly model: string;
  readonly asks: RequestContent;
  /** A model of the operator's channels, tried when the account's own one fails. */
  readonly fallback: string | undefined;
  /** Only of the account's own channel: metered, never charged. */
  readonly own: boolean;
  readonly maxTokens: number | undefined;
  /** Answers that it asks for at once. */
  readonly choices: number;
  /** Taken off the unit prices, hundredths of a percent. */
  readonly discount: number;
  /** The most that its client lets it cost; undefined leaves it to the balance. */
  readonly costMax: Nano | undefined;
  readonly stream: boolean;
  /** Too long for billing, which must settle its record at 0. */
  readonly clientRequestId: string | undefined;
  /** A buffer of its own, by which the vendor knows the request. */
  readonly messages: Buffer;
  /** The vendor's behaviour at the first, the second, … attempt. */
  readonly scripts: readonly VendorScript[];
  readonly arrivesMs: number;
  /** When its client hangs up; undefined when it stays. */
  readonly leavesAfterMs: number | undefined;
  readonly deadlineMs: number;
  readonly observed: RequestObservations;
}

/** The observations of a request. */
export interface RequestObservations {
  /** Vendor calls so far; the last one is the one that answers. */
  attempts: number;
  /** Completion tokens that were written to the client. */
  delivered: number;
  beginDurable: boolean;
  /** From the newest durable BEGIN. */
  reserved: bigint;
  prices: UnitPrices;
  /** Tokens of the newest durable checkpoint; 0 before the first. */
  checkpointed: number;
  /** Durable ENDs of different places: there must be exactly one in the end. */
  readonly ends: UsageRecord[];
  /** Where it was sent. */
  sentTo: { readonly process: Process; readonly spoolId: string } | undefined;
  /** How it ended for the client; undefined while it runs or when its process died. */
  outcome: RequestEnd | undefined;
}

/** The outcome as the client got it. */
export type RequestEnd =
  /** Nothing was done. */
  | { readonly kind: 'refused'; readonly code: string }
  /** It began and failed before anything was delivered. */
  | { readonly kind: 'failed'; readonly code: string }
  /** The stream ended with an error frame. */
  | { readonly kind: 'cut'; readonly amount: bigint; readonly code: string }
  | { readonly kind: 'answered'; readonly amount: bigint };

/** How requests are made. */
export interface WorkloadProfile {
  readonly accounts: readonly string[];
  readonly requests: number;
  /** They arrive within this time. */
  readonly overMs: number;
  readonly budgetShare: number;
  readonly ownShare: number;
  readonly unreadableShare: number;
  readonly budgetLimit: number;
  readonly period: 'none' | 'day';
  /** Milliseconds between two frames of a vendor at most. */
  readonly frameGapMs: number;
  readonly hostileShare: number;
  /** Of requests that ask for more than text. */
  readonly beyondTextShare: number;
  /** Of every account, hundredths of a percent; below 0 a mark-up. */
  readonly discount: number;
}

/** A request of the account; the rest is chance within the profile. */
export function createRequest(
  random: Random,
  profile: WorkloadProfile,
  requestId: string,
  accountId: string,
): ModelRequest {
  const asks = askedBy(random, profile);
  const generates = asks !== 'vectors';
  const canBeOwn = generates && accountId === OWNER_OF_A_CHANNEL;
  const ownFirst = canBeOwn && random.chance(profile.ownShare);
  const fallback = ownFirst && random.chance(0.5) ? 'small' : undefined;
  const isBudgeted = random.chance(profile.budgetShare);
  const keyId = isBudgeted ? `key_${accountId}_budget` : `key_${accountId}`;
  const limit = nano(BigInt(profile.budgetLimit));
  const choices = generates && random.chance(0.3) ? random.int(2, 4) : 1;
  const counted = { choices, generates, promptTokensMore: PROMPT_TOKENS_MORE[asks] };
  const script = () => createVendorScript(random, profile, counted);
  const chat = random.chance(0.6) ? 'small' : 'auto';
  const name = generates ? chat : 'vectors';
  return {
    requestId,
    accountId,
    keyId,
    budget: isBudgeted ? { keyId, limit, period: profile.period } : undefined,
    model: ownFirst ? 'self:small' : name,
    asks,
    fallback,
    own: ownFirst && fallback === undefined,
    maxTokens: !generates || random.chance(0.5) ? undefined : random.int(4, COMPLETION_TOKENS_MAX),
    choices,
    discount: profile.discount,
    // The most that an image may count is more than any of these limits.
    costMax:
      asks !== 'image' && random.chance(0.25) ? nano(BigInt(random.int(50, 400))) : undefined,
    stream: generates && random.chance(0.8),
    clientRequestId: random.chance(profile.unreadableShare) ? UNREADABLE : undefined,
    messages: Buffer.from(asks === 'image' ? WITH_IMAGE : MESSAGES),
    scripts: [script(), script()],
    arrivesMs: random.int(0, profile.overMs),
    leavesAfterMs: random.chance(0.1) ? random.int(1, 800) : undefined,
    deadlineMs: random.chance(0.1) ? random.int(200, 1_500) : 30_000,
    observed: nothingObserved(),
  };
}

/** What vendors may count for it beyond the text of the messages. */
const PROMPT_TOKENS_MORE: Readonly<Record<RequestContent, number>> = {
  text: 0,
  vectors: 0,
  tools: 20,
  image: 1_500,
};

function askedBy(random: Random, { beyondTextShare }: WorkloadProfile): RequestContent {
  if (!random.chance(beyondTextShare)) return 'text';
  return random.pick<RequestContent>(['tools', 'tools', 'image', 'vectors', 'vectors']);
}

/** Nothing was observed yet. */
function nothingObserved(): RequestObservations {
  return {
    attempts: 0,
    delivered: 0,
    beginDurable: false,
    reserved: 0n,
    prices: PRICES,
    checkpointed: 0,
    ends: [],
    sentTo: undefined,
    outcome: undefined,
  };
}

/** A request that nothing is wrong with and that a vendor answers slowly and well. */
export function createLastRequest(requestId: string, accountId: string): ModelRequest {
  const deltas = [5, 5];
  const script: VendorScript = {
    failsAtOnce: false,
    firstEventMs: 200,
    choices: 1,
    deltas,
    gapsMs: deltas.map(() => 100),
    ending: 'done',
    usage: {
      prompt: MESSAGES.length / BYTES_PER_TOKEN,
      completion: 10,
      cached: 0,
      cacheWrite: 0,
      reasoning: 0,
      promptAudio: 0,
      completionAudio: 0,
    },
    countsPromptFirst: false,
  };
  return {
    requestId,
    accountId,
    keyId: `key_${accountId}`,
    budget: undefined,
    model: 'small',
    asks: 'text',
    fallback: undefined,
    own: false,
    maxTokens: COMPLETION_TOKENS_MAX,
    stream: true,
    clientRequestId: undefined,
    choices: 1,
    costMax: undefined,
    discount: 0,
    messages: Buffer.from(MESSAGES),
    scripts: [script],
    arrivesMs: 0,
    leavesAfterMs: undefined,
    deadlineMs: 30_000,
    observed: nothingObserved(),
  };
}

/** What the vendor was to answer in the request's last attempt; the first answer before any. */
export function lastScriptOf({ scripts, observed }: ModelRequest): VendorScript | undefined {
  return scripts[Math.max(0, observed.attempts - 1) % scripts.length];
}

/** How many tokens of text the vendor was to say. */
export function textTokensOf(script: VendorScript | undefined): number {
  return (script?.deltas ?? []).reduce((sum, tokens) => sum + tokens, 0);
}
