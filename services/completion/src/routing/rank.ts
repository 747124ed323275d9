import { assertNever } from '@tollgate/core';
import type { Candidate } from './candidate';
import type { CandidateHealth, HealthLookup } from './health';
import type { RouteQuery } from './route-query';
import {
  type ChannelCandidates,
  cachesPrompts,
  type Equals,
  groupByChannel,
  type RouteScope,
  type ScopeModel,
} from './route-scope';
import { sizeClassOf, speedOrderOf } from './speed-order';

/** Tokens of an answer that is compared when the request names no max_tokens. */
const TYPICAL_COMPLETION_TOKENS = 1000;
/** One `auto-fast` request in so many tries a candidate of which too little is known. */
const EXPLORED_ONE_IN = 20;

/** Whether a candidate may be called, given what is known of it. */
export type Acceptance = (candidate: Candidate, health: CandidateHealth) => boolean;

/**
 * The first `countMax` accepted candidates, best first:
 *
 *   1. those that are trusted, then the others
 *   2. by what the routing name compares
 *   3. one candidate of each channel, then the second of each, so that a channel that fails is not
 *      asked twice in a row
 *   4. by priority
 *   5. by weight at random; where vendors cache prompts, the same way for all turns of a conversation
 *
 * Looks at no more candidates than it takes to be sure.
 */
export function rank(
  scope: RouteScope,
  healthOf: HealthLookup,
  query: RouteQuery,
  accepts: Acceptance,
  countMax: number,
): readonly Candidate[] {
  const seed = isSticky(scope, query) ? query.conversationSeed : query.seed;
  const take = (wanted: boolean, count: number): readonly Candidate[] => {
    const isNext = (candidate: Candidate) => {
      const health = healthOf(candidate);
      return isTrusted(candidate, health) === wanted && accepts(candidate, health);
    };
    return takeFirst(equalsInOrder(scope, healthOf, query), seed, isNext, count);
  };
  const trusted = take(true, countMax);
  const explored = exploredOf(scope, healthOf, query, accepts);
  const first = explored === undefined ? trusted : toFront(trusted, explored).slice(0, countMax);
  return first.length < countMax ? [...first, ...take(false, countMax - first.length)] : first;
}

/** Whether the turns of the query's conversation stay together. */
export function isSticky(
  scope: RouteScope,
  query: RouteQuery,
): query is RouteQuery & { readonly conversationSeed: number } {
  if (query.conversationSeed === undefined) return false;
  const { name, routing } = query.name;
  if (routing !== undefined) return scope.cachesPrompts;
  const named = scope.models.get(name);
  return named !== undefined && cachesPrompts(named.model);
}

/** How many tokens an answer of the model is taken to have. */
export function wantedTokensOf(
  { completionTokensMax }: Candidate['model'],
  { maxTokens }: RouteQuery,
): number {
  return Math.min(maxTokens ?? TYPICAL_COMPLETION_TOKENS, completionTokensMax);
}

// The calls of this process are newer than what routing heard of all processes.
function isTrusted(candidate: Candidate, { standing }: CandidateHealth): boolean {
  return standing === undefined ? candidate.healthy : standing === 'proven';
}

/** The candidates by rank; each step yields those that the name ranks equal. */
function* equalsInOrder(
  scope: RouteScope,
  healthOf: HealthLookup,
  query: RouteQuery,
): Generator<Equals> {
  const { name, routing } = query.name;
  switch (routing) {
    case undefined:
      yield scope.models.get(name)?.equals ?? [];
      return;
    case 'auto':
      yield scope.all;
      return;
    case 'auto-cheap':
      yield* byPrice(scope, query);
      return;
    case 'auto-fast':
      yield* orderFor(scope, healthOf, query).steps();
      return;
    default:
      assertNever(routing);
  }
}

function* byPrice(scope: RouteScope, query: RouteQuery): Generator<Equals> {
  const rest = [...scope.models.values()];
  const prices = rest.map((priced) => comparablePriceOf(priced, query));
  while (rest.length > 0) {
    let lowest = Infinity;
    for (const price of prices) lowest = Math.min(lowest, price);
    const cheapest: ScopeModel[] = [];
    for (let index = rest.length - 1; index >= 0; index -= 1) {
      const priced = rest[index];
      if (priced === undefined || prices[index] !== lowest) continue;
      cheapest.push(priced);
      rest.splice(index, 1);
      prices.splice(index, 1);
    }
    yield mergeModels(scope, cheapest);
  }
}

/** Models that cost the same are the same ones for nearly every request. */
const mergedByScope = new WeakMap<RouteScope, Map<string, Equals>>();
const MERGED_MAX = 100;

function mergeModels(scope: RouteScope, models: readonly ScopeModel[]): Equals {
  const [only] = models;
  if (only !== undefined && models.length === 1) return only.equals;
  if (models.length === scope.models.size) return scope.all;
  const merged = mergedByScope.get(scope) ?? new Map<string, Equals>();
  mergedByScope.set(scope, merged);
  const key = models.map(({ model }) => model.name).join('\n');
  const known = merged.get(key);
  if (known !== undefined) return known;
  const candidates = models.flatMap(({ equals }) => equals.flatMap((each) => each.candidates));
  // Among a channel's equals the operator's order decides.
  const made = groupByChannel(candidates.sort((a, b) => a.position - b.position));
  if (merged.size >= MERGED_MAX) merged.clear();
  merged.set(key, made);
  return made;
}

// Cached tokens are not known before the call.
function comparablePriceOf(priced: ScopeModel, query: RouteQuery): number {
  const { model, promptPrice, completionPrice } = priced;
  const completionTokens = wantedTokensOf(model, query) * query.choices;
  return promptPrice * query.promptEstimate + completionPrice * completionTokens;
}

function orderFor(scope: RouteScope, healthOf: HealthLookup, query: RouteQuery) {
  const sizeClass = sizeClassOf(query.maxTokens ?? TYPICAL_COMPLETION_TOKENS);
  return speedOrderOf(scope, healthOf, sizeClass, query.nowMs);
}

/** One in so many requests for the fastest asks a candidate of which too little is known. */
function exploredOf(
  scope: RouteScope,
  healthOf: HealthLookup,
  query: RouteQuery,
  accepts: Acceptance,
): Candidate | undefined {
  const mixed = mix(query.seed);
  if (query.name.routing !== 'auto-fast' || mixed % EXPLORED_ONE_IN !== 0) return undefined;
  const { unexplored } = orderFor(scope, healthOf, query);
  const start = Math.floor(mixed / EXPLORED_ONE_IN);
  for (let step = 0; step < unexplored.length; step += 1) {
    const candidate = unexplored[(start + step) % unexplored.length];
    if (candidate === undefined) continue;
    const health = healthOf(candidate);
    if (isTrusted(candidate, health) && accepts(candidate, health)) return candidate;
  }
  return undefined;
}

function toFront(candidates: readonly Candidate[], first: Candidate): readonly Candidate[] {
  return [first, ...candidates.filter((candidate) => candidate !== first)];
}

function takeFirst(
  steps: Iterable<Equals>,
  seed: number,
  isNext: (candidate: Candidate) => boolean,
  countMax: number,
): readonly Candidate[] {
  const taken: Candidate[] = [];
  if (countMax <= 0) return taken;
  for (const equals of steps) {
    const queue = new ChannelQueue(equals, seed);
    for (;;) {
      const candidate = queue.next(isNext);
      if (candidate === undefined) break;
      taken.push(candidate);
      if (taken.length >= countMax) return taken;
    }
  }
  return taken;
}

/**
 * Channels in the order of their turns. Plain scans over numbers: the first few are nearly always
 * all that is asked for, and sorting two hundred channels would cost more than the whole choice.
 */
class ChannelQueue {
  readonly #equals: Equals;
  /** The smallest comes first; NaN until it is needed, Infinity once it had its turn in this round. */
  readonly #keys: Float64Array;
  /** Candidates of each channel that were looked at. */
  readonly #seen: Uint32Array;
  readonly #seed: number;

  constructor(equals: Equals, seed: number) {
    this.#equals = equals;
    this.#seed = seed;
    this.#keys = new Float64Array(equals.length);
    this.#seen = new Uint32Array(equals.length);
    this.#startRound();
  }

  next(isNext: (candidate: Candidate) => boolean): Candidate | undefined {
    for (;;) {
      const index = this.#first();
      if (index < 0) {
        if (!this.#startRound()) return undefined;
        continue;
      }
      this.#keys[index] = Infinity;
      const candidates = this.#equals[index]?.candidates ?? [];
      for (let seen = this.#seen[index] ?? 0; seen < candidates.length; ) {
        const candidate = candidates[seen];
        seen += 1;
        this.#seen[index] = seen;
        if (candidate !== undefined && isNext(candidate)) return candidate;
      }
    }
  }

  /** Gives every channel with candidates left another turn; false when there is none. */
  #startRound(): boolean {
    let isAny = false;
    for (let index = 0; index < this.#equals.length; index += 1) {
      const each = this.#equals[index];
      if (each === undefined) continue;
      const isLeft = (this.#seen[index] ?? 0) < each.candidates.length;
      this.#keys[index] = isLeft ? Number.NaN : Infinity;
      isAny ||= isLeft;
    }
    return isAny;
  }

  #first(): number {
    let priority = Infinity;
    for (let index = 0; index < this.#keys.length; index += 1) {
      if (this.#keys[index] === Infinity) continue;
      priority = Math.min(priority, this.#equals[index]?.channel.priority ?? Infinity);
    }
    let [first, firstKey] = [-1, Infinity];
    for (let index = 0; index < this.#keys.length; index += 1) {
      const each = this.#equals[index];
      let key = this.#keys[index] ?? Infinity;
      if (key === Infinity || each?.channel.priority !== priority) continue;
      if (Number.isNaN(key)) {
        key = weightedKeyOf(each, this.#seed);
        this.#keys[index] = key;
      }
      if (key >= firstKey) continue;
      first = index;
      firstKey = key;
    }
    return first;
  }
}

// Exponential keys (weighted random sampling): the smallest belongs to each channel with a
// probability proportional to its weight.
function weightedKeyOf({ channel, hash }: ChannelCandidates, seed: number): number {
  const uniform = (mix(seed ^ hash) + 1) / 2 ** 32;
  return -Math.log(uniform) / Math.max(1, channel.weight);
}

function mix(value: number): number {
  let bits = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  bits = Math.imul(bits ^ (bits >>> 16), 0x45d9f3b);
  return (bits ^ (bits >>> 16)) >>> 0;
}
