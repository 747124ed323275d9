import type { RequestLimiter } from '../domain/limits';
import { toRateLimitError } from './admission';

/** A plain limit of requests per minute for calls that are not metered. */
export interface RequestThrottle {
  /** Throws RATE_LIMIT_EXCEEDED when the subject called too often. */
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
      decision.permit.release('counted');
    },
  };
}

/** An IPv6 caller owns at least a /64: counting single addresses would count nothing. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = ''] = address.split('::');
  return `${head.split(':').slice(0, 4).join(':')}::/64`;
}
