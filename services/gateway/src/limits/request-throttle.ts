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
      decision.permit.release('counted');
    },
  };
}

/** An IPv6 client owns at least a /64: counting single addresses would count nothing. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail = ''] = address.split('::');
  const before = toGroups(head);
  const after = toGroups(tail);
  const zeros = Math.max(0, GROUPS - before.length - after.length);
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after];
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => Number.parseInt(group, 16));
  return `${network.map((group) => group.toString(16)).join(':')}::/64`;
}

function toGroups(text: string): readonly string[] {
  return text === '' ? [] : text.split(':');
}

const GROUPS = 8;
const NETWORK_GROUPS = 4;
