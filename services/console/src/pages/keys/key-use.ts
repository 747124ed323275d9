import { formatNumberOf } from '../../format/quantity';
import { formatAgo } from '../../format/time';

/**
 * What revoking a key would stop, as far as it is known. `requests` were served in 24 hours, and are
 * undefined while they are not counted; a refused one is a use of the key and no served request.
 */
export function describeKeyUse(
  lastUsedAt: string | null,
  requests: number | undefined,
  nowMs: number,
): string {
  if (requests !== undefined && requests > 0) {
    return `It was used ${formatNumberOf(requests, 'time')} in the last 24 hours: whatever uses it will fail.`;
  }
  if (lastUsedAt === null) return requests === undefined ? '' : 'It was not used yet.';
  const lastUsed = `Last used ${formatAgo(lastUsedAt, nowMs)}`;
  return requests === undefined ? `${lastUsed}.` : `${lastUsed}; 0 requests served in 24 hours.`;
}
