import type { RequestFilter } from '../../api/requests';
import type { RefusedRequest } from '../../api/schemas';
import { DAY_MS, MINUTE_MS } from '../../format/time';

/** How far back a list of requests reaches, as the address names it. */
export const SPANS: Readonly<Record<string, { readonly label: string; readonly ms: number }>> = {
  '24h': { label: 'Last 24 hours', ms: DAY_MS },
  '7d': { label: 'Last 7 days', ms: 7 * DAY_MS },
  '30d': { label: 'Last 30 days', ms: 30 * DAY_MS },
};

/** The filter of the address; a span begins at a whole minute: whoever comes back has the same list. */
export function readFilter(
  get: (name: string) => string | undefined,
  nowMs: number,
): RequestFilter {
  const status = get('status');
  const given = {
    model: get('model'),
    key_id: get('key'),
    account_id: get('account'),
    channel_id: get('channel'),
    status: status === 'succeeded' || status === 'failed' ? status : undefined,
    start: readStart(get('since'), nowMs),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** A span, or the time at which one began. */
function readStart(since: string | undefined, nowMs: number): string | undefined {
  if (since === undefined) return undefined;
  const span = SPANS[since];
  if (span === undefined) return isTime(since) ? since : undefined;
  return new Date(Math.floor((nowMs - span.ms) / MINUTE_MS) * MINUTE_MS).toISOString();
}

/** Whether the text is a time as the API writes it. */
export function isTime(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T/.test(text) && !Number.isNaN(Date.parse(text));
}

/** The filter of a list of refused requests, which the console applies: the API has neither. */
interface RefusedFilter {
  readonly reason: string | undefined;
  readonly key: string | undefined;
}

export function fitsRefused(
  { error_code, key_id }: Pick<RefusedRequest, 'error_code' | 'key_id'>,
  { reason, key }: RefusedFilter,
): boolean {
  return (reason === undefined || error_code === reason) && (key === undefined || key_id === key);
}

/** The codes that there are, and the one that was chosen, by name. */
export function reasonsOf(
  refused: readonly Pick<RefusedRequest, 'error_code'>[],
  chosen: string | undefined,
): readonly string[] {
  const codes = refused.map(({ error_code }) => error_code);
  return [...new Set(chosen === undefined ? codes : [...codes, chosen])].sort();
}
