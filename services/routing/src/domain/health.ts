import type { ChannelHealth, HealthState } from './channel';

/** How a call to a channel ended. */
export type OutcomeKind = 'success' | 'failure' | 'timeout' | 'rate_limited' | 'credential_refused';

/** What completion saw of a channel since its last report. */
export interface Outcome {
  readonly channelId: string;
  readonly kind: OutcomeKind;
  readonly count: number;
  readonly latencyMs: number;
  readonly firstTokenMs: number;
  readonly breaker: ChannelHealth['breaker'];
}

/** Weight of one report in the moving averages. */
const SMOOTHING = 0.2;
const HEALTHY_RATE = 0.95;
const DEGRADED_RATE = 0.5;

function smooth(previous: number | null, observed: number): number {
  return previous === null ? observed : previous + SMOOTHING * (observed - previous);
}

function stateOf(successRate: number, breaker: ChannelHealth['breaker']): HealthState {
  if (breaker === 'open' || successRate < DEGRADED_RATE) return 'unhealthy';
  return successRate < HEALTHY_RATE ? 'degraded' : 'healthy';
}

/** Health after a report; latencies count only when the vendor answered. */
export function observeOutcome(
  health: ChannelHealth,
  outcome: Outcome,
  atMs: number,
): ChannelHealth {
  if (outcome.count <= 0) return { ...health, breaker: outcome.breaker };
  const succeeded = outcome.kind === 'success';
  const successRate = smooth(health.successRate, succeeded ? 1 : 0);
  const latencyMs =
    succeeded && outcome.latencyMs > 0
      ? Math.round(smooth(health.latencyMs, outcome.latencyMs))
      : health.latencyMs;
  const firstTokenMs =
    succeeded && outcome.firstTokenMs > 0
      ? Math.round(smooth(health.firstTokenMs, outcome.firstTokenMs))
      : health.firstTokenMs;
  return {
    state: stateOf(successRate, outcome.breaker),
    checkedAtMs: atMs,
    latencyMs,
    firstTokenMs,
    successRate,
    breaker: outcome.breaker,
  };
}
