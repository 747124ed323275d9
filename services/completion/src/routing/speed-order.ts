import type { Candidate, RouteChannel } from './candidate';
import type { HealthLookup } from './health';
import { type Equals, groupByChannel, type RouteScope } from './route-scope';

/** The candidates of a scope by the time that an answer of one size is expected to take. */
export interface SpeedOrder {
  readonly madeMs: number;
  /** Those of which anything is known, the fastest first. */
  readonly measured: readonly { readonly candidate: Candidate; readonly expectedMs: number }[];
  /** Those whose channel was never measured either. */
  readonly unmeasured: Equals;
  /** Whom to ask so that a vendor that became fast is found: never measured here, or longest ago. */
  readonly unexplored: readonly Candidate[];
}

/** Measurements change slowly, and ordering thousands of candidates takes milliseconds. */
const ORDER_AGE_MS_MAX = 500;
const UNEXPLORED_MAX = 64;
/** Of a stream whose speed was not measured yet. */
const TYPICAL_TOKENS_PER_SECOND = 50;

/** Answers of up to so many tokens are compared as if they had as many: a power of two. */
export function sizeClassOf(tokens: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, tokens)));
}

/** By answer size; they end with the table. */
const ordersByScope = new WeakMap<RouteScope, Map<number, SpeedOrder>>();

/** The order that holds now for answers of `sizeClass` tokens. */
export function speedOrderOf(
  scope: RouteScope,
  healthOf: HealthLookup,
  sizeClass: number,
  nowMs: number,
): SpeedOrder {
  const orders = ordersByScope.get(scope) ?? new Map<number, SpeedOrder>();
  ordersByScope.set(scope, orders);
  const known = orders.get(sizeClass);
  if (known !== undefined && nowMs - known.madeMs < ORDER_AGE_MS_MAX) return known;
  const made = makeOrder(scope, healthOf, sizeClass, nowMs);
  orders.set(sizeClass, made);
  return made;
}

function makeOrder(
  scope: RouteScope,
  healthOf: HealthLookup,
  sizeClass: number,
  nowMs: number,
): SpeedOrder {
  const measured: { candidate: Candidate; expectedMs: number }[] = [];
  const unmeasured: Candidate[] = [];
  const never: Candidate[] = [];
  let [oldest, oldestMs]: [Candidate | undefined, number] = [undefined, -1];
  for (const candidate of scope.candidates) {
    const health = healthOf(candidate);
    const tokens = Math.min(sizeClass, candidate.model.completionTokensMax);
    const expectedMs = expectedMsOf(candidate.channel, health, tokens);
    if (expectedMs === undefined) unmeasured.push(candidate);
    else measured.push({ candidate, expectedMs });
    const { measuredAgoMs } = health;
    if (measuredAgoMs === undefined) {
      if (never.length < UNEXPLORED_MAX) never.push(candidate);
    } else if (measuredAgoMs > oldestMs) [oldest, oldestMs] = [candidate, measuredAgoMs];
  }
  measured.sort((a, b) => a.expectedMs - b.expectedMs);
  const unexplored = never.length > 0 || oldest === undefined ? never : [oldest];
  return { madeMs: nowMs, measured, unmeasured: groupByChannel(unmeasured), unexplored };
}

/** Until the end of an answer of so many tokens; undefined while no first token was measured. */
export function expectedMsOf(
  channel: RouteChannel,
  health: ReturnType<HealthLookup>,
  tokens: number,
): number | undefined {
  const firstTokenMs = health.firstTokenMs ?? channel.firstTokenMs;
  if (firstTokenMs === null) return undefined;
  const tokensPerSecond = health.tokensPerSecond ?? TYPICAL_TOKENS_PER_SECOND;
  return firstTokenMs + (tokens * 1000) / tokensPerSecond;
}
