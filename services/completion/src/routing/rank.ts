import { assertNever } from '@tollgate/core';
import type { Candidate } from './candidate';
import {
  type ChannelCandidates,
  type ChannelSet,
  cachesPrompts,
  EqualChannels,
  type PriceClass,
} from './channel-set';
import type { CandidateHealth, HealthLookup } from './health';
import type { RouteQuery } from './route-query';
import { sizeClassOf, speedOrderOf } from './speed-order';

/** Tokens of an answer that is compared when the request names no max_tokens. */
const TYPICAL_COMPLETION_TOKENS = 1000;
/** One `auto-fast` request in so many tries a candidate of which too little is known. */
const EXPLORED_ONE_IN = 20;

const NO_CHANNELS = new EqualChannels([]);

/** Whether a candidate may be called, given what is known of it. */
export type Acceptance = (candidate: Candidate, health: CandidateHealth) => boolean;

/**
 * The first `countMax` accepted candidates, best first:
 *
 *   1. trusted ones where a call goes out at once, trusted ones where it would wait, the others
 *   2. by what the routing name compares
 *   3. one candidate of each channel, then the second of each, so that a channel that fails is not
 *      asked twice in a row
 *   4. by priority
 *   5. by weight at random; where vendors cache prompts, the same way for all turns of a conversation
 *
 * Looks at no more candidates than it takes to be sure.
 */
export function rank(
  set: ChannelSet,
  healthOf: HealthLookup,
  query: RouteQuery,
  accepts: Acceptance,
  countMax: number,
): readonly Candidate[] {
  const tieBreaker = isSticky(set, query) ? query.conversationHash() : query.tieBreaker;
  const take = (wanted: Precedence, count: number): readonly Candidate[] => {
    const isNext = (candidate: Candidate) => {
      const health = healthOf(candidate);
      return precedenceOf(candidate, health) === wanted && accepts(candidate, health);
    };
    return takeFirst(equalsInOrder(set, healthOf, query), tieBreaker, isNext, count);
  };
  const atOnce = take('at_once', countMax);
  const explored = exploredOf(set, healthOf, query, accepts);
  const first = explored === undefined ? atOnce : toFront(atOnce, explored).slice(0, countMax);
  const ranked = [...first];
  for (const next of ['waiting', 'not_trusted'] as const) {
    if (ranked.length < countMax) ranked.push(...take(next, countMax - ranked.length));
  }
  return ranked;
}

/** Whether the turns of the query's conversation stay together. */
export function isSticky(
  set: ChannelSet,
  query: RouteQuery,
): query is RouteQuery & { readonly conversationHash: () => number } {
  if (query.conversationHash === undefined) return false;
  const { name, routing } = query.name;
  if (routing !== undefined) return set.cachesPrompts;
  const named = set.models.get(name);
  return named !== undefined && cachesPrompts(named.model);
}

/** How many tokens an answer of the model is taken to have. */
export function wantedTokensOf(
  { completionTokensMax }: Pick<Candidate['model'], 'completionTokensMax'>,
  { maxTokens }: RouteQuery,
): number {
  return Math.min(maxTokens ?? TYPICAL_COMPLETION_TOKENS, completionTokensMax);
}

/** What is asked before what, whatever the routing name compares. */
type Precedence = 'at_once' | 'waiting' | 'not_trusted';

// The calls of this process are newer than what routing heard of all processes.
function precedenceOf(
  { healthy }: Candidate,
  { isCrowded, standing }: CandidateHealth,
): Precedence {
  const isTrusted = standing === undefined ? healthy : standing === 'trusted';
  if (!isTrusted) return 'not_trusted';
  return isCrowded === true ? 'waiting' : 'at_once';
}

/** The candidates by rank; each step yields those that the name ranks equal. */
function* equalsInOrder(
  set: ChannelSet,
  healthOf: HealthLookup,
  query: RouteQuery,
): Generator<EqualChannels> {
  const { name, routing } = query.name;
  switch (routing) {
    case undefined:
      yield set.models.get(name)?.equalChannels ?? NO_CHANNELS;
      return;
    case 'auto':
      yield set.all;
      return;
    case 'auto-cheap':
      yield* byPrice(set, query);
      return;
    case 'auto-fast':
      yield* orderFor(set, healthOf, query).steps();
      return;
    default:
      assertNever(routing);
  }
}

/** The cheapest are found in one pass; the others are put in order when somebody asks for them. */
function* byPrice(set: ChannelSet, query: RouteQuery): Generator<EqualChannels> {
  const { priceClasses } = set;
  let lowest = Infinity;
  let cheapest: PriceClass[] = [];
  for (const each of priceClasses) {
    const price = comparablePriceOf(each, query);
    if (price > lowest) continue;
    if (price < lowest) cheapest = [];
    lowest = price;
    cheapest.push(each);
  }
  yield mergeClasses(set, cheapest);
  const others = priceClasses.filter((each) => !cheapest.includes(each));
  const grouped = Map.groupBy(others, (each) => comparablePriceOf(each, query));
  for (const [, classes] of [...grouped].sort(([a], [b]) => a - b)) {
    yield mergeClasses(set, classes);
  }
}

function mergeClasses(set: ChannelSet, classes: readonly PriceClass[]): EqualChannels {
  const [only] = classes;
  if (only !== undefined && classes.length === 1) return only.equalChannels;
  return set.merge(classes.flatMap(({ models }) => models));
}

// Cached tokens are not known before the call.
function comparablePriceOf(each: PriceClass, query: RouteQuery): number {
  const completionTokens = wantedTokensOf(each, query) * query.choices;
  return each.promptPrice * query.promptUsual + each.completionPrice * completionTokens;
}

function orderFor(set: ChannelSet, healthOf: HealthLookup, query: RouteQuery) {
  const sizeClass = sizeClassOf(query.maxTokens ?? TYPICAL_COMPLETION_TOKENS);
  return speedOrderOf(set, healthOf, sizeClass, query.monotonicNowMs);
}

/** One in so many requests for the fastest asks a candidate of which too little is known. */
function exploredOf(
  set: ChannelSet,
  healthOf: HealthLookup,
  query: RouteQuery,
  accepts: Acceptance,
): Candidate | undefined {
  const mixed = mix(query.tieBreaker);
  if (query.name.routing !== 'auto-fast' || mixed % EXPLORED_ONE_IN !== 0) return undefined;
  const { unexplored } = orderFor(set, healthOf, query);
  const start = Math.floor(mixed / EXPLORED_ONE_IN);
  for (let step = 0; step < unexplored.length; step += 1) {
    const candidate = unexplored[(start + step) % unexplored.length];
    if (candidate === undefined) continue;
    const health = healthOf(candidate);
    const isAtOnce = precedenceOf(candidate, health) === 'at_once';
    if (isAtOnce && accepts(candidate, health)) return candidate;
  }
  return undefined;
}

function toFront(candidates: readonly Candidate[], first: Candidate): readonly Candidate[] {
  return [first, ...candidates.filter((candidate) => candidate !== first)];
}

function takeFirst(
  steps: Iterable<EqualChannels>,
  tieBreaker: number,
  isNext: (candidate: Candidate) => boolean,
  countMax: number,
): readonly Candidate[] {
  const taken: Candidate[] = [];
  if (countMax <= 0) return taken;
  for (const equals of steps) {
    takeEquals(equals, tieBreaker, isNext, taken, countMax);
    if (taken.length >= countMax) break;
  }
  return taken;
}

/** In each round every channel has a turn, until none has a candidate left. */
function takeEquals(
  { tiers }: EqualChannels,
  tieBreaker: number,
  isNext: (candidate: Candidate) => boolean,
  taken: Candidate[],
  countMax: number,
): void {
  /** Candidates of each channel that were looked at. */
  const seen = new Map<ChannelCandidates, number>();
  for (let isAnyLeft = true; isAnyLeft; ) {
    isAnyLeft = false;
    for (const tier of tiers) {
      for (const channel of inOrder(tier, tieBreaker, countMax - taken.length)) {
        const { candidates } = channel;
        let place = seen.get(channel) ?? 0;
        for (let isTaken = false; !isTaken && place < candidates.length; place += 1) {
          const candidate = candidates[place];
          isTaken = candidate !== undefined && isNext(candidate);
          if (candidate !== undefined && isTaken) taken.push(candidate);
        }
        if (taken.length >= countMax) return;
        seen.set(channel, place);
        isAnyLeft ||= place < candidates.length;
      }
    }
  }
}

/** So many channels of a tier are found without putting all of them in order. */
const FEW = 8;

/**
 * The channels of one priority, the smallest key first. A request takes the first few of hundreds,
 * which one pass finds; only who needs more pays for sorting.
 */
function* inOrder(
  tier: readonly ChannelCandidates[],
  tieBreaker: number,
  wanted: number,
): Generator<ChannelCandidates> {
  const first = wanted > FEW ? [] : smallestOf(tier, tieBreaker, wanted);
  yield* first;
  if (first.length === tier.length) return;
  const keyed = tier.map((channel) => ({ channel, key: weightedKeyOf(channel, tieBreaker) }));
  keyed.sort((a, b) => a.key - b.key);
  for (let place = first.length; place < keyed.length; place += 1) {
    const each = keyed[place];
    if (each !== undefined) yield each.channel;
  }
}

/** Inserts into short lists of numbers: nothing is made for a channel that is not among them. */
function smallestOf(
  tier: readonly ChannelCandidates[],
  tieBreaker: number,
  countMax: number,
): readonly ChannelCandidates[] {
  const keys: number[] = [];
  const indexes: number[] = [];
  for (const [index, channel] of tier.entries()) {
    const key = weightedKeyOf(channel, tieBreaker);
    if (keys.length === countMax && key >= (keys[countMax - 1] ?? 0)) continue;
    let place = Math.min(keys.length, countMax - 1);
    for (; place > 0 && key < (keys[place - 1] ?? 0); place -= 1) {
      keys[place] = keys[place - 1] ?? 0;
      indexes[place] = indexes[place - 1] ?? 0;
    }
    keys[place] = key;
    indexes[place] = index;
  }
  return indexes.flatMap((index) => tier[index] ?? []);
}

// Exponential keys (weighted random sampling): the smallest belongs to each channel with a
// probability proportional to its weight.
function weightedKeyOf({ channel, hash }: ChannelCandidates, tieBreaker: number): number {
  const uniform = (mix(tieBreaker ^ hash) + 1) / 2 ** 32;
  return -Math.log(uniform) / Math.max(1, channel.weight);
}

function mix(value: number): number {
  let bits = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  bits = Math.imul(bits ^ (bits >>> 16), 0x45d9f3b);
  return (bits ^ (bits >>> 16)) >>> 0;
}
