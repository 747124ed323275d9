import type { LimitState } from '../domain/limits';

const seconds = (ms: number): number => Math.ceil(ms / 1000);

/**
 * The headers that tell a caller where it stands. Of several subjects the one with the least left
 * speaks; a limit that is not there has no number.
 */
export function toLimitHeaders(states: readonly LimitState[]): Record<string, string> {
  const minute = tightest(states, minuteLeft);
  const day = tightest(states, dayLeft);
  const headers: Record<string, string> = {};
  const policies: string[] = [];
  const minuteLimit = minute?.limits.requestsPerMinute;
  if (minute !== undefined && minuteLimit !== undefined) {
    const left = minuteLeft(minute) ?? 0;
    const reset = seconds(minute.minuteResetMs);
    headers['X-RateLimit-Limit-Requests'] = String(minuteLimit);
    headers['X-RateLimit-Remaining-Requests'] = String(left);
    headers['X-RateLimit-Reset-Requests'] = `${reset}s`;
    headers.RateLimit = `"rpm";r=${left};t=${reset}`;
    policies.push(`"rpm";q=${minuteLimit};w=60`);
  }
  const dayLimit = day?.limits.requestsPerDay;
  if (day !== undefined && dayLimit !== undefined) {
    headers.RateLimit ??= `"rpd";r=${dayLeft(day) ?? 0};t=${seconds(day.dayResetMs)}`;
    policies.push(`"rpd";q=${dayLimit};w=86400`);
  }
  if (policies.length > 0) headers['RateLimit-Policy'] = policies.join(', ');
  return headers;
}

function minuteLeft({ limits, minuteCount }: LimitState): number | undefined {
  if (limits.requestsPerMinute === undefined) return undefined;
  return Math.max(0, limits.requestsPerMinute - minuteCount);
}

function dayLeft({ limits, dayCount }: LimitState): number | undefined {
  if (limits.requestsPerDay === undefined) return undefined;
  return Math.max(0, limits.requestsPerDay - dayCount);
}

/** The state with the least left by the measure; undefined when none is limited. */
function tightest(
  states: readonly LimitState[],
  left: (state: LimitState) => number | undefined,
): LimitState | undefined {
  let found: LimitState | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const state of states) {
    const value = left(state);
    if (value !== undefined && value < least) {
      least = value;
      found = state;
    }
  }
  return found;
}
