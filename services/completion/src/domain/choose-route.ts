import { AppError, assertNever, type Nano, priceOf } from '@tollgate/core';
import { findVersionStem, type ModelName, OWN_POOL } from './model-name';
import type { Offer, RouteChannel, RouteTable } from './route-table';

/** Why a call of an offer would not be made now. */
export interface Obstacle {
  /**
   * `failing`: the breaker of the model at this channel is open; `cooling_down`: the vendor limits
   * us; `busy`: the channel's concurrency is used up; `gone`: it cannot be called at all.
   */
  readonly kind: 'failing' | 'cooling_down' | 'busy' | 'gone';
  /** When it may be otherwise. */
  readonly retryAfterMs: number;
}

/** What is known about an offer in this process. */
export interface OfferView {
  readonly obstacle: Obstacle | undefined;
  /** Measured at the channel; undefined before the first answer. */
  readonly firstTokenMs: number | undefined;
}

/** What a request asks of a route. */
export interface RouteQuery {
  readonly accountId: string;
  readonly operator: boolean;
  readonly name: ModelName;
  /** Models that the key may use; empty means every one. */
  readonly models: readonly string[];
  /** Groups that the key is narrowed to; empty means all that its account was granted. */
  readonly pools: readonly string[];
  /** Groups of the operator's channels that the account was granted, besides the default one. */
  readonly grantedGroups: readonly string[];
  readonly capabilities: readonly string[];
  /** The request field that needs them. */
  readonly capabilityParam: string;
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

/** Answers what is known about an offer; a pure look-up for the time of one choice. */
export type OfferViews = (offer: Offer) => OfferView;

/** Tokens of an answer that is compared by price when the request names no max_tokens. */
const TYPICAL_COMPLETION_TOKENS = 1000;
const DEFAULT_GROUP = 'default';
const RETRY_MS_MIN = 1000;

/**
 * The channels that may serve the request, best first; never empty. Throws the AppError that the
 * caller shall see otherwise, in the order of the contract: unknown, dated, not allowed, cap or
 * capability, and last no channel that works.
 */
export function chooseRoute(
  table: RouteTable,
  views: OfferViews,
  query: RouteQuery,
): readonly Offer[] {
  const offers = selectOffers(table, query);
  const fitting = offers.filter((offer) => coversTokens(offer, query));
  if (fitting.length === 0 && offers.length > 0) throw tokensAboveCap(offers);
  const roomy = fitting.filter((offer) => hasContext(offer, query));
  if (roomy.length === 0 && fitting.length > 0) throw promptTooLong(fitting);
  const capable = roomy.filter((offer) => missingCapability(offer, query) === undefined);
  if (capable.length === 0 && roomy.length > 0) throw notCapable(query);
  const working = capable.filter((offer) => views(offer).obstacle === undefined);
  if (working.length === 0) {
    throw new AppError('SERVICE_UNAVAILABLE', {
      publicMessage: 'No channel can serve this model at the moment. Please try again shortly.',
      retryAfterMs: soonestOf(capable, views),
    });
  }
  return rankOffers(working, views, query);
}

/** Every offer that the name stands for, whether or not it can serve the request. */
export function selectOffers(table: RouteTable, query: RouteQuery): readonly Offer[] {
  const inPool = poolOf(table, query);
  const { name, routing } = query.name;
  if (routing === undefined) {
    requireModel(table, name, query);
    return (table.offersByModel.get(name) ?? []).filter((offer) => inPool(offer.channel));
  }
  const pooled = table.offers.filter((offer) => inPool(offer.channel));
  const allowed = pooled.filter((offer) => isAllowed(offer.model.name, query));
  if (allowed.length === 0 && pooled.length > 0) throw notAllowed();
  return allowed;
}

/** Why the offer cannot serve the request, as a sentence without a full stop; undefined if it can. */
export function rejectionOf(
  offer: Offer,
  views: OfferViews,
  query: RouteQuery,
): string | undefined {
  if (!coversTokens(offer, query)) {
    return `max_tokens is above the model's ${offer.model.completionTokensMax}`;
  }
  if (!hasContext(offer, query)) {
    return `the prompt is longer than the model's context of ${offer.model.contextTokensMax} tokens`;
  }
  const missing = missingCapability(offer, query);
  if (missing !== undefined) return `the channel does not support ${missing}`;
  const { obstacle } = views(offer);
  return obstacle === undefined ? undefined : sentenceOf(obstacle);
}

function sentenceOf({ kind, retryAfterMs }: Obstacle): string {
  const seconds = Math.ceil(retryAfterMs / 1000);
  switch (kind) {
    case 'failing':
      return `this model fails at the channel; it is tried again in about ${seconds} s`;
    case 'cooling_down':
      return `the vendor limits this model at the channel for about ${seconds} s`;
    case 'busy':
      return 'the channel answers as many requests as it may';
    case 'gone':
      return 'the channel cannot be called';
    default:
      return assertNever(kind);
  }
}

/** When the first of them may serve again; at least a moment, so that nobody asks in a circle. */
function soonestOf(offers: readonly Offer[], views: OfferViews): number {
  const waits = offers.map((offer) => views(offer).obstacle?.retryAfterMs ?? 0);
  // Without any channel there is nothing to wait for: somebody has to add one.
  if (waits.length === 0) return RETRY_MS_MIN;
  return Math.max(RETRY_MS_MIN, Math.ceil(Math.min(...waits)));
}

/** Orders offers, best first. The same seed and the same table give the same order. */
export function rankOffers(
  offers: readonly Offer[],
  views: OfferViews,
  query: RouteQuery,
): readonly Offer[] {
  if (offers.length === 1) return offers;
  const ranks = new Map(offers.map((offer) => [offer, rankOf(offer, views, query)]));
  return [...offers].sort((a, b) => compareRanks(ranks.get(a) ?? [], ranks.get(b) ?? []));
}

/** What this request would cost there, for comparing and explaining. */
export function estimateOf(offer: Offer, query: RouteQuery): Nano {
  const wanted = query.maxTokens ?? TYPICAL_COMPLETION_TOKENS;
  return priceOf(offer.model.prices, {
    prompt: query.promptEstimate,
    completion: Math.min(wanted, offer.model.completionTokensMax) * query.choices,
    cached: 0,
  });
}

type Rank = readonly (number | bigint)[];

function rankOf(offer: Offer, views: OfferViews, query: RouteQuery): Rank {
  const { channel } = offer;
  const health = offer.healthy ? 0 : 1;
  const lot = lotOf(channel, query.seed);
  const usual = [channel.priority, lot, offer.position];
  switch (query.name.routing) {
    case undefined:
    case 'auto':
      return [health, ...usual];
    case 'auto-cheap':
      return [health, estimateOf(offer, query), ...usual];
    case 'auto-fast': {
      const measured = views(offer).firstTokenMs ?? channel.firstTokenMs;
      return [health, measured ?? Number.MAX_SAFE_INTEGER, ...usual];
    }
    default:
      return assertNever(query.name.routing);
  }
}

function compareRanks(a: Rank, b: Rank): number {
  for (const [index, left] of a.entries()) {
    const right = b[index] ?? 0;
    if (left < right) return -1;
    if (left > right) return 1;
  }
  return 0;
}

// Exponential lots: the smallest of them is drawn with a probability proportional to the weight.
function lotOf(channel: RouteChannel, seed: number): number {
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

function poolOf(table: RouteTable, query: RouteQuery): (channel: RouteChannel) => boolean {
  const { pool } = query.name;
  if (pool === undefined) return isOpenToAll;
  if (pool === OWN_POOL) {
    const isOwn = (channel: RouteChannel) => channel.ownerAccountId === query.accountId;
    if (!table.channels.some(isOwn)) throw unknownModel();
    return isOwn;
  }
  const isInGroup = (channel: RouteChannel) =>
    channel.ownerAccountId === null && channel.groups.includes(pool);
  // A channel without a group is in the default one.
  const isMember = pool === DEFAULT_GROUP ? isOpenToAll : isInGroup;
  const usable = query.operator || mayName(pool, query);
  // A group of others must look as if it did not exist.
  if (!usable || !table.channels.some(isMember)) throw unknownModel();
  return isMember;
}

// A key's own list only narrows: whoever makes keys must not reach more by naming it there.
function mayName(group: string, { grantedGroups, pools }: RouteQuery): boolean {
  const granted = group === DEFAULT_GROUP || grantedGroups.includes(group);
  return granted && (pools.length === 0 || pools.includes(group));
}

function isOpenToAll(channel: RouteChannel): boolean {
  if (channel.ownerAccountId !== null) return false;
  return channel.groups.length === 0 || channel.groups.includes(DEFAULT_GROUP);
}

function requireModel(table: RouteTable, name: string, query: RouteQuery): void {
  if (!table.models.has(name)) {
    const stem = findVersionStem(name, (candidate) => table.models.has(candidate));
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

function coversTokens(offer: Offer, query: RouteQuery): boolean {
  return query.maxTokens === undefined || query.maxTokens <= offer.model.completionTokensMax;
}

function hasContext({ model }: Offer, query: RouteQuery): boolean {
  return model.contextTokensMax === 0 || !query.promptExceeds(model.contextTokensMax);
}

function missingCapability(offer: Offer, query: RouteQuery): string | undefined {
  return query.capabilities.find((needed) => !offer.channel.capabilities.includes(needed));
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

function tokensAboveCap(offers: readonly Offer[]): AppError {
  const cap = Math.max(...offers.map((offer) => offer.model.completionTokensMax));
  return new AppError('VALIDATION_ERROR', {
    publicMessage: `max_tokens must be at most ${cap} for this model.`,
    param: 'max_tokens',
  });
}

function promptTooLong(offers: readonly Offer[]): AppError {
  const length = Math.max(...offers.map((offer) => offer.model.contextTokensMax));
  return new AppError('CONTEXT_LENGTH_EXCEEDED', {
    publicMessage: `The messages are longer than the ${length} tokens of this model's context.`,
    param: 'messages',
  });
}

function notCapable(query: RouteQuery): AppError {
  const param = query.capabilityParam === '' ? 'model' : query.capabilityParam;
  return new AppError('VALIDATION_ERROR', {
    publicMessage: `No channel of this model supports ${param}.`,
    param,
  });
}
