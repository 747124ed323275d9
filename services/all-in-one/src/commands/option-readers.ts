import { PAGE_SIZE_MAX } from '@tollgate/core';
import { InvalidArgumentError } from 'commander';

/** Of --timeout-seconds. */
export function readSeconds(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of seconds.');
}

/** Of --limit: as many as one page of the API holds. */
export function readLimit(text: string): string {
  if (/^[1-9]\d{0,2}$/.test(text) && Number(text) <= PAGE_SIZE_MAX) return text;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${PAGE_SIZE_MAX}.`);
}

/** Of --since. */
export function readTime(text: string): string {
  if (Number.isFinite(Date.parse(text))) return text;
  throw new InvalidArgumentError('It must be a time, such as 2026-01-31T03:00:00Z.');
}
