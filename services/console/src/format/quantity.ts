/** Stands where there is no value: never a zero. */
export const NOTHING = '–';

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** Tokens, requests and other counts: `12,345`. */
export function formatCount(count: number): string {
  return whole.format(count);
}

/** A count on the axis of a chart: `12.3K`. */
export function formatShortCount(count: number): string {
  return short.format(count);
}

/** A number and its unit stand on one line. */
export const NO_BREAK = '\u00a0';

/** From here on seconds with one decimal would be rounded to 60.0. */
const SECONDS_UNTIL_MS = 59_950;

/** `340 ms`, `1.2 s`, `2 min 5 s`. */
export function formatDuration(ms: number): string {
  if (Math.round(ms) < 1000) return `${Math.round(ms)}${NO_BREAK}ms`;
  if (ms < SECONDS_UNTIL_MS) return `${(ms / 1000).toFixed(1)}${NO_BREAK}s`;
  const seconds = Math.round(ms / 1000);
  const rest = seconds % 60;
  const minutes = `${Math.floor(seconds / 60)}${NO_BREAK}min`;
  return rest === 0 ? minutes : [minutes, rest, 's'].join(NO_BREAK);
}

/** How long somebody has to wait, never said too short: `40 s`, `15 min`. */
export function formatWait(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole}${NO_BREAK}s` : `${Math.ceil(whole / 60)}${NO_BREAK}min`;
}

/** The part of a limit that is used; undefined where there is no limit. */
export function shareUsed(used: number, limit: number | null): number | undefined {
  return limit === null || limit === 0 ? undefined : Math.min(1, used / limit);
}

/** A part of one: `99.5%`; a hundred is said only of all. */
export function formatShare(share: number): string {
  return formatTenths(Math.floor(share * 1000));
}

/** The part that failed: `16.7%`; nothing is said only of none, and a hundred only of all. */
export function formatFailedShare(share: number): string {
  if (share > 0 && share < 0.001) return '<0.1%';
  const tenths = Math.round(share * 1000);
  return formatTenths(share < 1 ? Math.min(tenths, 999) : tenths);
}

function formatTenths(tenths: number): string {
  return `${tenths % 10 === 0 ? tenths / 10 : (tenths / 10).toFixed(1)}%`;
}

/** `1 key`, `3 keys`. */
export function formatNumberOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
