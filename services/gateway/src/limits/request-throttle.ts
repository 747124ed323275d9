import { toRateLimitError } from './admission';
import type { RequestLimiter } from './limiter';

/** A plain limit of requests per minute for calls that are not metered. */
export interface RequestThrottle {
  /** Throws RATE_LIMIT_EXCEEDED when the subject sent too many requests. */
  check(subject: string): Promise<void>;
}

/** Subjects of different throttles never meet: `name` sets them apart. */
export function createRequestThrottle(
  limiter: RequestLimiter,
  name: string,
  requestsPerMinute: number,
): RequestThrottle {
  const limits = { requestsPerMinute };
  return {
    async check(subject) {
      const decision = await limiter.acquire([{ id: `${name}:${subject}`, limits }]);
      if (!decision.admitted) throw toRateLimitError(decision);
      decision.permit.release('minute_and_day');
    },
  };
}
