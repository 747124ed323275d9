import { AppError, assertNever, type Nano, priceOf } from '@tollgate/core';
import {
  type CandidateHealth,
  type HealthLookup,
  obstacleSentence,
  soonestRetryMs,
} from './health';
import { findVersionStem, type ModelName, OWN_GROUP } from './model-name';
import type { Candidate, ChannelType, RouteChannel, RouteModel, RouteTable } from './route-table';

/** What a request asks of a route. */
export interface RouteQuery {
  readonly accountId: string;
  readonly operator: boolean;
  readonly name: ModelName;
  /** Models that the key may use; empty means every one. */
  readonly models: readonly string[];
  /** Groups that the key is narrowed to; empty means all that its account was granted. */
  readonly keyGroups: readonly string[];
  /** Groups of the operator's channels that the account was granted, besides the default one. */
  readonly grantedGroups: readonly string[];
  readonly capabilities: readonly string[];
  /** The request field that needs them. */
  readonly capabilityParam: string;
  /** The member that the protocol of such a channel cannot express. */
  readonly inexpressible: (type: ChannelType) => string | undefined;
  readonly maxTokens: number | undefined;
  readonly promptEstimate: number;
  /** No tokenizer counts more. */
  readonly promptTokensMax: number;
  /** Whether the prompt certainly has more tokens than this. */
  readonly promptExceeds: (tokens: number) => boolean;
  /** Answers that are asked for at once. */
  readonly choices: number;
  /** 32 bits that decide among equals: a hash of the request, or random. */
  readonly seed: number;
}

/** Tokens of an answer that is compared by price when the request names no max_tokens. */
const TYPICAL_COMPLETION_TOKENS = 1000;
/** Of a stream whose speed was not measured yet. */
const TYPICAL_TOKENS_PER_SECOND = 50;
/** Requests for the fastest of which one explores. */
const EXPLORED_ONE_IN = 20;
const DEFAULT_GROUP = 'default';

/**
 * The channels that may serve the request, best first; never empty. Throws the AppError that the
 * caller shall see otherwise, in the order of the contract: unknown, dated, not allowed, cap or
 * capability, and last no channel that works.
 */
export function chooseRoute(
  table: RouteTable,
  healthOf: HealthLookup,
  query: RouteQuery,
): readonly Candidate[] {
  const candidates = selectCandidates(table, query);
  const fitting = candidates.filter((candidate) => coversTokens(candidate, query));
  if (fitting.length === 0 && candidates.length > 0) throw tokensAboveCap(candidates);
  const roomy = fitting.filter((candidate) => hasContext(candidate, query));
  if (roomy.length === 0 && fitting.length > 0) throw promptTooLong(fitting);
  const capable = roomy.filter((candidate) => missingCapability(candidate, query) === undefined);
  if (capable.length === 0 && roomy.length > 0) throw notCapable(roomy, query);
  const working = capable
    .map((candidate): Known => ({ candidate, health: healthOf(candidate) }))
    .filter(({ health }) => health.obstacle === undefined);
  if (working.length === 0) {
    throw new AppError('SERVICE_UNAVAILABLE', {
      publicMessage: 'No channel can serve this model at the moment. Please try again shortly.',
      retryAfterMs: soonestRetryMs(capable, healthOf),
    });
  }
  return rank(working, query);
}

/** Every candidate that the name stands for, whether or not it can serve the request. */
export function selectCandidates(table: RouteTable, query: RouteQuery): readonly Candidate[] {
  const isInGroup = membershipOf(table, query);
  const { name, routing } = query.name;
  if (routing === undefined) {
    requireModel(table, name, query);
    return (table.candidatesByModel.get(name) ?? []).filter((candidate) =>
      isInGroup(candidate.channel),
    );
  }
  const grouped = table.candidates.filter((candidate) => isInGroup(candidate.channel));
  const allowed = grouped.filter((candidate) => isAllowed(candidate.model.name, query));
  if (allowed.length === 0 && grouped.length > 0) throw notAllowed();
  return allowed;
}

/** Why it cannot serve the request, as a sentence without a full stop; undefined if it can. */
export function rejectionOf(
  candidate: Candidate,
  healthOf: HealthLookup,
  query: RouteQuery,
): string | undefined {
  if (!coversTokens(candidate, query)) {
    return `max_tokens is above the model's ${candidate.model.completionTokensMax}`;
  }
  if (!hasContext(candidate, query)) {
    return `the prompt is longer than the model's context of ${candidate.model.contextTokensMax} tokens`;
  }
  const missing = missingCapability(candidate, query);
  if (missing !== undefined) return `the channel does not support ${missing}`;
  const { obstacle } = healthOf(candidate);
  return obstacle === undefined ? undefined : obstacleSentence(obstacle);
}

/** Orders candidates, best first. The same seed and the same table give the same order. */
export function rankCandidates(
  candidates: readonly Candidate[],
  healthOf: HealthLookup,
  query: RouteQuery,
): readonly Candidate[] {
  if (candidates.length === 1) return candidates;
  return rank(
    candidates.map((candidate) => ({ candidate, health: healthOf(candidate) })),
    query,
  );
}

/** A candidate with what is known of it, looked up once for a choice. */
interface Known {
  readonly candidate: Candidate;
  readonly health: CandidateHealth;
}

interface Ranked extends Known {
  /** 0 for those that are to be asked first. */
  readonly tier: number;
  /** What the routing name compares: nano-units or milliseconds; 0 when it compares nothing. */
  readonly measure: number;
  readonly key: number;
}

function rank(known: readonly Known[], query: RouteQuery): readonly Candidate[] {
  const measureOf = createMeasure(query);
  const ranked = known.map(
    (each): Ranked => ({
      ...{ candidate: each.candidate, health: each.health },
      tier: isTrusted(each) ? 0 : 1,
      measure: measureOf(each),
      key: weightedKeyOf(each.candidate.channel, query.seed),
    }),
  );
  ranked.sort(compareRanked);
  const explored = exploredOf(ranked, query);
  const order = ranked.map(({ candidate }) => candidate);
  if (explored === undefined) return order;
  return [explored, ...order.filter((candidate) => candidate !== explored)];
}

function compareRanked(a: Ranked, b: Ranked): number {
  return (
    a.tier - b.tier ||
    compareNumbers(a.measure, b.measure) ||
    a.candidate.channel.priority - b.candidate.channel.priority ||
    a.key - b.key ||
    a.candidate.position - b.candidate.position
  );
}

// Infinity less itself is no number.
function compareNumbers(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

function createMeasure(query: RouteQuery): (known: Known) => number {
  switch (query.name.routing) {
    case undefined:
    case 'auto':
      return () => 0;
    case 'auto-cheap': {
      // A price is the model's, and many channels serve one.
      const prices = new Map<RouteModel, number>();
      return ({ candidate }) => {
        const price = prices.get(candidate.model) ?? Number(estimateOf(candidate, query));
        prices.set(candidate.model, price);
        return price;
      };
    }
    case 'auto-fast':
      return ({ candidate, health }) => expectedMsOf(candidate, health, query) ?? Infinity;
    default:
      return assertNever(query.name.routing);
  }
}

/** Until the end of this answer; undefined while its first token was never measured. */
export function expectedMsOf(
  candidate: Candidate,
  health: CandidateHealth,
  query: RouteQuery,
): number | undefined {
  const firstTokenMs = health.firstTokenMs ?? candidate.channel.firstTokenMs;
  if (firstTokenMs === null) return undefined;
  const tokensPerSecond = health.tokensPerSecond ?? TYPICAL_TOKENS_PER_SECOND;
  return firstTokenMs + (wantedTokensOf(candidate, query) * 1000) / tokensPerSecond;
}

/**
 * One in so many requests for the fastest asks the one that was measured longest ago, or never: a
 * vendor that became fast would not be found otherwise.
 */
function exploredOf(ranked: readonly Ranked[], query: RouteQuery): Candidate | undefined {
  if (query.name.routing !== 'auto-fast' || mix(query.seed) % EXPLORED_ONE_IN !== 0) return;
  let oldest: Ranked | undefined;
  for (const each of ranked) {
    if (each.tier > 0) break;
    if (oldest === undefined || measuredAgoOf(each) > measuredAgoOf(oldest)) oldest = each;
  }
  return oldest?.candidate;
}

function measuredAgoOf({ health }: Known): number {
  return health.measuredAgoMs ?? Infinity;
}

// What calls of this process show is newer than what routing heard of all of them.
function isTrusted({ candidate, health: { standing } }: Known): boolean {
  return standing === undefined ? candidate.healthy : standing === 'proven';
}

/** What this request would cost there, for comparing and explaining. */
export function estimateOf(candidate: Candidate, query: RouteQuery): Nano {
  return priceOf(candidate.model.prices, {
    prompt: query.promptEstimate,
    completion: wantedTokensOf(candidate, query) * query.choices,
    cached: 0,
  });
}

function wantedTokensOf({ model }: Candidate, query: RouteQuery): number {
  return Math.min(query.maxTokens ?? TYPICAL_COMPLETION_TOKENS, model.completionTokensMax);
}

const hashes = new WeakMap<RouteChannel, number>();

// Exponential keys (weighted random sampling): the smallest belongs to each channel with a
// probability proportional to its weight.
function weightedKeyOf(channel: RouteChannel, seed: number): number {
  let hash = hashes.get(channel);
  if (hash === undefined) {
    hash = hashText(channel.id);
    hashes.set(channel, hash);
  }
  const uniform = (mix(seed ^ hash) + 1) / 2 ** 32;
  return -Math.log(uniform) / Math.max(1, channel.weight);
}

function mix(value: number): number {
  let bits = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  bits = Math.imul(bits ^ (bits >>> 16), 0x45d9f3b);
  return (bits ^ (bits >>> 16)) >>> 0;
}

function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

function membershipOf(table: RouteTable, query: RouteQuery): (channel: RouteChannel) => boolean {
  const { group } = query.name;
  if (group === undefined) return isOpenToAll;
  if (group === OWN_GROUP) {
    const isOwn = (channel: RouteChannel) => channel.ownerAccountId === query.accountId;
    if (!table.channels.some(isOwn)) throw unknownModel();
    return isOwn;
  }
  const isInGroup = (channel: RouteChannel) =>
    channel.ownerAccountId === null && channel.groups.includes(group);
  // A channel without a group is in the default one.
  const isMember = group === DEFAULT_GROUP ? isOpenToAll : isInGroup;
  const usable = query.operator || mayName(group, query);
  // A group of others must look as if it did not exist.
  if (!usable || !table.channels.some(isMember)) throw unknownModel();
  return isMember;
}

// A key's own list only narrows: whoever makes keys must not reach more by naming it there.
function mayName(group: string, { grantedGroups, keyGroups }: RouteQuery): boolean {
  const granted = group === DEFAULT_GROUP || grantedGroups.includes(group);
  return granted && (keyGroups.length === 0 || keyGroups.includes(group));
}

function isOpenToAll(channel: RouteChannel): boolean {
  if (channel.ownerAccountId !== null) return false;
  return channel.groups.length === 0 || channel.groups.includes(DEFAULT_GROUP);
}

function requireModel(table: RouteTable, name: string, query: RouteQuery): void {
  if (!table.models.has(name)) {
    const stem = findVersionStem(name, (known) => table.models.has(known));
    if (stem === undefined) throw unknownModel();
    throw new AppError('VALIDATION_ERROR', {
      publicMessage: `Model names carry no date or version suffix. Use "${stem}".`,
      param: 'model',
    });
  }
  if (!isAllowed(name, query)) throw notAllowed();
}

function isAllowed(model: string, query: RouteQuery): boolean {
  if (query.models.length === 0 || query.models.includes(model)) return true;
  return query.name.routing !== undefined && query.models.includes(query.name.routing);
}

function coversTokens(candidate: Candidate, query: RouteQuery): boolean {
  return query.maxTokens === undefined || query.maxTokens <= candidate.model.completionTokensMax;
}

function hasContext({ model }: Candidate, query: RouteQuery): boolean {
  return model.contextTokensMax === 0 || !query.promptExceeds(model.contextTokensMax);
}

function missingCapability(candidate: Candidate, query: RouteQuery): string | undefined {
  return undeclaredCapability(candidate, query) ?? query.inexpressible(candidate.channel.type);
}

function undeclaredCapability({ channel }: Candidate, query: RouteQuery): string | undefined {
  return query.capabilities.find((needed) => !channel.capabilities.includes(needed));
}

function unknownModel(): AppError {
  return new AppError('NOT_FOUND', {
    publicMessage: 'This model does not exist. GET /v1/models lists the available ones.',
    param: 'model',
  });
}

function notAllowed(): AppError {
  return new AppError('FORBIDDEN', {
    publicMessage: 'This API key may not use this model.',
    param: 'model',
  });
}

function tokensAboveCap(candidates: readonly Candidate[]): AppError {
  const cap = Math.max(...candidates.map((candidate) => candidate.model.completionTokensMax));
  return new AppError('VALIDATION_ERROR', {
    publicMessage: `max_tokens must be at most ${cap} for this model.`,
    param: 'max_tokens',
  });
}

function promptTooLong(candidates: readonly Candidate[]): AppError {
  const length = Math.max(...candidates.map((candidate) => candidate.model.contextTokensMax));
  return new AppError('CONTEXT_LENGTH_EXCEEDED', {
    publicMessage: `The messages are longer than the ${length} tokens of this model's context.`,
    param: 'messages',
  });
}

function notCapable(candidates: readonly Candidate[], query: RouteQuery): AppError {
  // What a channel that declares everything cannot express is nearer to an answer.
  const declaring = candidates.find((each) => undeclaredCapability(each, query) === undefined);
  const inexpressible =
    declaring === undefined ? undefined : query.inexpressible(declaring.channel.type);
  const param = inexpressible ?? (query.capabilityParam === '' ? 'model' : query.capabilityParam);
  return new AppError('VALIDATION_ERROR', {
    publicMessage: `No channel of this model supports ${param}.`,
    param,
  });
}
