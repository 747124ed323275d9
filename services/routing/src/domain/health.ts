import type { BreakerState, CallFailureKind, CallSummary, HealthState } from '@tollgate/core';
import type { ChannelHealth, ChannelModel, ModelHealth } from './channel';

/**
 * A summary as part of a report. A report must count once in each moving average, however many
 * summaries it has. So the success rate of a model's calls in the whole report, 0 to 1, stands in the
 * first summary of the model alone, and that of a channel's calls in the first of the channel; later
 * summaries are judged by the average that the first of them made.
 */
export interface ReportedCalls extends CallSummary {
  readonly modelSuccessRate?: number | undefined;
  readonly channelSuccessRate?: number | undefined;
}

/** The summaries of one report with its rates; those that say nothing of the vendor bear none. */
export function withSuccessRates(report: readonly CallSummary[]): readonly ReportedCalls[] {
  const modelRates = ratesBy(report, ({ channelId, model }) => `${channelId} ${model}`);
  const channelRates = ratesBy(report, ({ channelId }) => channelId);
  return report.map((calls) => ({
    ...calls,
    modelSuccessRate: modelRates.get(calls),
    channelSuccessRate: channelRates.get(calls),
  }));
}

/** Under the first summary of each key: the part of the key's calls that succeeded. */
function ratesBy(
  report: readonly CallSummary[],
  keyOf: (calls: CallSummary) => string,
): ReadonlyMap<CallSummary, number> {
  const sums = new Map<string, { first: CallSummary; succeeded: number; all: number }>();
  for (const calls of report) {
    const { kind, count } = calls;
    // A vendor that limits us works, so its refusal changes no rate.
    if (kind === 'rate_limited' || kind === 'no_room') continue;
    const sum = sums.get(keyOf(calls)) ?? { first: calls, succeeded: 0, all: 0 };
    sum.all += count;
    if (kind === 'success') sum.succeeded += count;
    sums.set(keyOf(calls), sum);
  }
  return new Map([...sums.values()].map(({ first, succeeded, all }) => [first, succeeded / all]));
}

/** Weight of a report in the moving average of a rate, and of a summary in that of a time. */
const SMOOTHING = 0.2;
const HEALTHY_RATE = 0.95;
const DEGRADED_RATE = 0.5;

/**
 * Health after a report on one of the channel's `served` models; latencies count only when the
 * vendor answered.
 */
export function observeCalls(
  health: ChannelHealth,
  calls: ReportedCalls,
  atMs: number,
  served: readonly ChannelModel[],
): ChannelHealth {
  const models = observeModel(health.models, calls, atMs, served);
  const breaker = bestBreaker(models, served);
  if (calls.kind === 'no_room') return { ...health, models, breaker, noRoomAtMs: atMs };
  const succeeded = calls.kind === 'success';
  const successRate = rateAfter(health.successRate, calls.channelSuccessRate);
  const latencyMs =
    succeeded && calls.latencyMs > 0
      ? Math.round(smooth(health.latencyMs, calls.latencyMs))
      : health.latencyMs;
  const firstTokenMs =
    succeeded && calls.firstTokenMs > 0
      ? Math.round(smooth(health.firstTokenMs, calls.firstTokenMs))
      : health.firstTokenMs;
  const state = stateOf(successRate, breaker);
  return {
    state,
    checkedAtMs: atMs,
    latencyMs,
    firstTokenMs,
    successRate,
    breaker,
    models,
    noRoomAtMs: health.noRoomAtMs,
    recoveredAtMs: health.recoveredAtMs,
    ...errorAfter(health, calls, state, atMs),
  };
}

type LastError = Pick<ChannelHealth, 'lastError' | 'lastErrorAtMs' | 'lastErrorKind'>;

/** Of a channel that is healthy. */
const NO_ERROR: LastError = { lastError: null, lastErrorKind: null, lastErrorAtMs: null };

/** What the calls of a model met. */
const CALL_ERRORS: Readonly<Record<CallFailureKind, string>> = {
  failure: 'The vendor failed a call of',
  timeout: 'The vendor did not answer in time a call of',
  rate_limited: 'The vendor limited a call of',
  credential_refused: 'The vendor refused the credential, or wants credit, at a call of',
};

/** One good call between bad ones does not hide what the bad ones met. */
function errorAfter(
  { lastError, lastErrorAtMs, lastErrorKind }: ChannelHealth,
  { detail, kind, model }: CallSummary,
  state: HealthState,
  atMs: number,
): LastError {
  const before = { lastError, lastErrorAtMs, lastErrorKind };
  if (kind === 'no_room') return before;
  if (kind === 'success') return state === 'healthy' ? NO_ERROR : before;
  // Without the vendor's words the check that follows a refused credential says more.
  if (kind === 'credential_refused' && detail === '' && lastError !== null) return before;
  const met = `${CALL_ERRORS[kind]} “${model}”`;
  const told = detail === '' ? `${met}.` : `${met}: ${detail}.`;
  return { lastError: told, lastErrorKind: kind, lastErrorAtMs: atMs };
}

const BEFORE_THE_CHECK = ' Before the check: ';

/** A check says less than the vendor said to a call before it, so those words stay beside it. */
export function errorAfterCheck(
  lastError: string | null,
  { error, model }: { readonly error: string; readonly model: string },
): string {
  const words = lastError?.split(BEFORE_THE_CHECK).at(-1) ?? '';
  const isOfCall = Object.values(CALL_ERRORS).some((met) => words.startsWith(met));
  const found = `${error.replace(/\.$/, '')}, asked for “${model}”.`;
  return isOfCall ? `${found}${BEFORE_THE_CHECK}${words}` : found;
}

function observeModel(
  known: readonly ModelHealth[],
  calls: ReportedCalls,
  atMs: number,
  served: readonly ChannelModel[],
): readonly ModelHealth[] {
  const names = new Set(served.map(({ name }) => name));
  const others = known.filter(({ model }) => model !== calls.model && names.has(model));
  if (!names.has(calls.model)) return others;
  const { breaker, cooldownMs, model } = calls;
  const before = known.find((one) => one.model === model)?.successRate ?? null;
  const successRate = rateAfter(before, calls.modelSuccessRate);
  const cooldownUntilMs = cooldownMs > 0 ? atMs + cooldownMs : null;
  const state = stateOf(successRate, breaker);
  return [...others, { model, state, breaker, successRate, cooldownUntilMs }];
}

/** A model that was never called has a closed breaker; a channel is open when all of them are. */
function bestBreaker(
  models: readonly ModelHealth[],
  served: readonly ChannelModel[],
): BreakerState {
  const states = models.map(({ breaker }) => breaker);
  if (models.length < served.length || states.length === 0) return 'closed';
  if (states.includes('closed')) return 'closed';
  return states.includes('half_open') ? 'half_open' : 'open';
}

function rateAfter(before: number | null, observed: number | undefined): number | null {
  return observed === undefined ? before : smooth(before, observed);
}

function smooth(previous: number | null, observed: number): number {
  return previous === null ? observed : previous + SMOOTHING * (observed - previous);
}

function stateOf(successRate: number | null, breaker: BreakerState): HealthState {
  if (breaker === 'open') return 'unhealthy';
  if (successRate === null) return 'unknown';
  if (successRate < DEGRADED_RATE) return 'unhealthy';
  return successRate < HEALTHY_RATE ? 'degraded' : 'healthy';
}
