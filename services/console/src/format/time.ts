import { NO_BREAK } from './quantity';

const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Up to here "ago" says more than a date. */
const RELATIVE_MAX_MS = 30 * DAY_MS;
const JUST_NOW_MS = 10 * SECOND_MS;

const UNITS: readonly (readonly [string, number])[] = [
  ['d', DAY_MS],
  ['h', HOUR_MS],
  ['min', MINUTE_MS],
  ['s', SECOND_MS],
];

/** `3 min ago`, `in 2 d`, and the date when it is further away. */
export function formatAgo(iso: string, nowMs: number): string {
  const differenceMs = Date.parse(iso) - nowMs;
  const distanceMs = Math.abs(differenceMs);
  if (distanceMs < JUST_NOW_MS) return 'just now';
  if (distanceMs >= RELATIVE_MAX_MS) return formatDate(iso);
  const [unit, sizeMs] = UNITS.find(([, size]) => distanceMs >= size) ?? ['s', SECOND_MS];
  const text = `${Math.floor(distanceMs / sizeMs)}${NO_BREAK}${unit}`;
  return differenceMs < 0 ? `${text} ago` : `in ${text}`;
}

/** `22 Nov 2026`, in the zone of the viewer. */
export function formatDate(iso: string, timeZone?: string): string {
  return write(iso, { day: 'numeric', month: 'short', year: 'numeric' }, timeZone);
}

/** `22 Nov 2026, 14:05:09`, in the zone of the viewer. */
export function formatDateTime(iso: string, timeZone?: string): string {
  const options = {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  } as const;
  return write(iso, options, timeZone);
}

/** `14:05` of the last 24 hours, and `22 Nov, 14:05` before, in the zone of the viewer. */
export function formatShortTime(iso: string, nowMs: number, timeZone?: string): string {
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const isNear = Math.abs(nowMs - Date.parse(iso)) < DAY_MS;
  const day = isNear ? {} : ({ day: 'numeric', month: 'short' } as const);
  return write(iso, { ...day, ...time }, timeZone);
}

/** The label of a bucket of statistics, whose days are days in UTC. */
export function formatBucket(
  iso: string,
  interval: 'minute' | 'hour' | 'day' | 'month',
  timeZone?: string,
): string {
  if (interval === 'month') return write(iso, { month: 'short', year: 'numeric' }, 'UTC');
  if (interval === 'day') return write(iso, { day: 'numeric', month: 'short' }, 'UTC');
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  return write(iso, { day: 'numeric', month: 'short', ...time }, timeZone);
}

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

/** `November 2026` of `2026-11`; what is no month stays as it is. */
export function formatMonth(month: string): string {
  if (!MONTH.test(month)) return month;
  return write(`${month}-01`, { month: 'long', year: 'numeric' }, 'UTC');
}

/** The label of a bucket below an axis of hours, which spans one day: `14:00` of `22 Nov, 14:00`. */
export function shortenBucket(label: string): string {
  return label.replace(/^.*, /, '');
}

/** The zone that times are shown in, such as `Europe/Berlin`. */
export function viewersZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** A day, a month and a year stand on one line, and so does a time. */
function write(iso: string, options: Intl.DateTimeFormatOptions, timeZone: string | undefined) {
  const format = new Intl.DateTimeFormat(
    'en-GB',
    timeZone === undefined ? options : { ...options, timeZone },
  );
  return format.format(Date.parse(iso)).replace(/(?<!,) /g, NO_BREAK);
}
