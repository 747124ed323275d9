import type { Candidate, RouteChannel } from './candidate';
import { type ChannelSet, type EqualChannels, groupByChannel } from './channel-set';
import type { HealthLookup } from './health';

/** The candidates of a set by the time that an answer of one size is expected to take. */
export interface SpeedOrder {
  /** Equals by equals, the fastest first; last come those of which nothing was measured. */
  steps(): Iterable<EqualChannels>;
  /** Whom to ask so that a vendor that became fast is found: never measured here, or longest ago. */
  readonly unexplored: readonly Candidate[];
}

/** Measurements change slowly, and looking at thousands of candidates takes milliseconds. */
const MEASURED_MS_MAX = 1000;
const UNEXPLORED_MAX = 64;
/** So many of the fastest are found without ordering all the others. */
const FASTEST_MAX = 64;
/** Of a stream whose speed was not measured yet. */
const TYPICAL_TOKENS_PER_SECOND = 50;

/** Answers of up to so many tokens are compared as if they had as many: a power of two. */
export function sizeClassOf(tokens: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, tokens)));
}

/** What was known of a set's candidates at one time, and the orders that were made of it. */
interface Measurements {
  readonly madeMs: number;
  readonly measured: readonly Candidate[];
  /** Of the measured candidates, by their place: plain numbers are scanned fastest. */
  readonly firstTokenMs: Float64Array;
  readonly msPerToken: Float64Array;
  readonly tokensMax: Float64Array;
  /** Those whose channel was never measured either. */
  readonly unmeasured: EqualChannels;
  readonly unexplored: readonly Candidate[];
  readonly bySize: Map<number, SpeedOrder>;
}

/** They end with the table. */
const measurementsBySet = new WeakMap<ChannelSet, Measurements>();

/** The order that holds now for answers of `sizeClass` tokens. */
export function speedOrderOf(
  set: ChannelSet,
  healthOf: HealthLookup,
  sizeClass: number,
  monotonicNowMs: number,
): SpeedOrder {
  let known = measurementsBySet.get(set);
  if (known === undefined || monotonicNowMs - known.madeMs >= MEASURED_MS_MAX) {
    known = measure(set, healthOf, monotonicNowMs);
    measurementsBySet.set(set, known);
  }
  const order = known.bySize.get(sizeClass) ?? makeOrder(known, sizeClass);
  known.bySize.set(sizeClass, order);
  return order;
}

function measure(set: ChannelSet, healthOf: HealthLookup, monotonicNowMs: number): Measurements {
  const { candidates } = set;
  const numbers = () => new Float64Array(candidates.length);
  const [firstTokenMs, msPerToken, tokensMax] = [numbers(), numbers(), numbers()];
  const measured: Candidate[] = [];
  const unmeasured: Candidate[] = [];
  const never: Candidate[] = [];
  let [oldest, oldestMs]: [Candidate | undefined, number] = [undefined, -1];
  for (const candidate of candidates) {
    const health = healthOf(candidate);
    const firstMs = health.firstTokenMs ?? candidate.channel.firstTokenMs;
    if (firstMs === null) unmeasured.push(candidate);
    else {
      const place = measured.push(candidate) - 1;
      firstTokenMs[place] = firstMs;
      msPerToken[place] = msPerTokenOf(health);
      tokensMax[place] = candidate.model.completionTokensMax;
    }
    const { measuredAgoMs } = health;
    if (measuredAgoMs === undefined) {
      if (never.length < UNEXPLORED_MAX) never.push(candidate);
    } else if (measuredAgoMs > oldestMs) [oldest, oldestMs] = [candidate, measuredAgoMs];
  }
  return {
    madeMs: monotonicNowMs,
    measured,
    firstTokenMs,
    msPerToken,
    tokensMax,
    unmeasured: groupByChannel(unmeasured),
    unexplored: never.length > 0 || oldest === undefined ? never : [oldest],
    bySize: new Map(),
  };
}

function makeOrder(known: Measurements, sizeClass: number): SpeedOrder {
  const boundMs = fastestBoundOf(known, sizeClass);
  const fastest = stepsBetween(known, sizeClass, -Infinity, boundMs);
  let others: readonly EqualChannels[] | undefined;
  return {
    *steps() {
      yield* fastest;
      // Asked for when too few of the fastest may serve the request.
      others ??= stepsBetween(known, sizeClass, boundMs, Infinity);
      yield* others;
      yield known.unmeasured;
    },
    unexplored: known.unexplored,
  };
}

/** The time that FASTEST_MAX candidates need at most; Infinity when there are no more of them. */
function fastestBoundOf(known: Measurements, sizeClass: number): number {
  const count = known.measured.length;
  if (count <= FASTEST_MAX) return Infinity;
  const fastest = new Float64Array(FASTEST_MAX).fill(Infinity);
  let boundMs = Infinity;
  for (let place = 0; place < count; place += 1) {
    const ms = expectedMsAt(known, place, sizeClass);
    if (ms >= boundMs) continue;
    let at = FASTEST_MAX - 1;
    for (; at > 0 && (fastest[at - 1] ?? 0) > ms; at -= 1) fastest[at] = fastest[at - 1] ?? 0;
    fastest[at] = ms;
    boundMs = fastest[FASTEST_MAX - 1] ?? Infinity;
  }
  return boundMs;
}

/** The candidates that need longer than `aboveMs` and up to `toMs`; those of one time are equal. */
function stepsBetween(
  known: Measurements,
  sizeClass: number,
  aboveMs: number,
  toMs: number,
): readonly EqualChannels[] {
  const byTime = new Map<number, Candidate[]>();
  for (let place = 0; place < known.measured.length; place += 1) {
    const ms = expectedMsAt(known, place, sizeClass);
    const candidate = known.measured[place];
    if (ms <= aboveMs || ms > toMs || candidate === undefined) continue;
    const equals = byTime.get(ms);
    if (equals === undefined) byTime.set(ms, [candidate]);
    else equals.push(candidate);
  }
  return [...byTime].sort(([a], [b]) => a - b).map(([, equals]) => groupByChannel(equals));
}

function expectedMsAt(known: Measurements, place: number, sizeClass: number): number {
  const tokens = Math.min(sizeClass, known.tokensMax[place] ?? 0);
  return (known.firstTokenMs[place] ?? 0) + tokens * (known.msPerToken[place] ?? 0);
}

/** Until the end of an answer of so many tokens; undefined while no first token was measured. */
export function expectedAnswerMsOf(
  channel: RouteChannel,
  health: ReturnType<HealthLookup>,
  tokens: number,
): number | undefined {
  const firstTokenMs = health.firstTokenMs ?? channel.firstTokenMs;
  if (firstTokenMs === null) return undefined;
  return firstTokenMs + tokens * msPerTokenOf(health);
}

function msPerTokenOf({ tokensPerSecond }: ReturnType<HealthLookup>): number {
  return 1000 / (tokensPerSecond ?? TYPICAL_TOKENS_PER_SECOND);
}
