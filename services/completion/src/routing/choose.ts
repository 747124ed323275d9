import { AppError, assertNever, type Nano, priceOf } from '@tollgate/core';
import { type HealthLookup, obstacleSentence, soonestRetryMs } from './health';
import { findVersionStem, type ModelName, OWN_GROUP } from './model-name';
import type { Candidate, ChannelType, RouteChannel, RouteTable } from './route-table';

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
  const working = capable.filter((candidate) => healthOf(candidate).obstacle === undefined);
  if (working.length === 0) {
    throw new AppError('SERVICE_UNAVAILABLE', {
      publicMessage: 'No channel can serve this model at the moment. Please try again shortly.',
      retryAfterMs: soonestRetryMs(capable, healthOf),
    });
  }
  return rankCandidates(working, healthOf, query);
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
  const ranks = new Map(
    candidates.map((candidate) => [candidate, rankOf(candidate, healthOf, query)]),
  );
  return [...candidates].sort((a, b) => compareRanks(ranks.get(a) ?? [], ranks.get(b) ?? []));
}

/** What this request would cost there, for comparing and explaining. */
export function estimateOf(candidate: Candidate, query: RouteQuery): Nano {
  const wanted = query.maxTokens ?? TYPICAL_COMPLETION_TOKENS;
  return priceOf(candidate.model.prices, {
    prompt: query.promptEstimate,
    completion: Math.min(wanted, candidate.model.completionTokensMax) * query.choices,
    cached: 0,
  });
}

type Rank = readonly (number | bigint)[];

function rankOf(candidate: Candidate, healthOf: HealthLookup, query: RouteQuery): Rank {
  const { channel } = candidate;
  const health = isTrusted(candidate, healthOf) ? 0 : 1;
  const usual = [channel.priority, weightedKeyOf(channel, query.seed), candidate.position];
  switch (query.name.routing) {
    case undefined:
    case 'auto':
      return [health, ...usual];
    case 'auto-cheap':
      return [health, estimateOf(candidate, query), ...usual];
    case 'auto-fast': {
      const measured = healthOf(candidate).firstTokenMs ?? channel.firstTokenMs;
      return [health, measured ?? Number.MAX_SAFE_INTEGER, ...usual];
    }
    default:
      return assertNever(query.name.routing);
  }
}

// What calls of this process show is newer than what routing heard of all of them.
function isTrusted(candidate: Candidate, healthOf: HealthLookup): boolean {
  const { standing } = healthOf(candidate);
  return standing === undefined ? candidate.healthy : standing === 'proven';
}

function compareRanks(a: Rank, b: Rank): number {
  for (const [index, left] of a.entries()) {
    const right = b[index] ?? 0;
    if (left < right) return -1;
    if (left > right) return 1;
  }
  return 0;
}

// Exponential keys (weighted random sampling): the smallest belongs to each channel with a
// probability proportional to its weight.
function weightedKeyOf(channel: RouteChannel, seed: number): number {
  const uniform = (mix(seed ^ hashText(channel.id)) + 1) / 2 ** 32;
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
