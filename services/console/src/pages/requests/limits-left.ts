import type { Story } from '../../api/schemas';
import { formatCount } from '../../format/quantity';

/** `59 of 60 this minute, 999 of 1,000 today`; undefined when there was no limit. */
export function describeLimitsLeft(limits: Story['limits_left']): string | undefined {
  if (limits === null) return undefined;
  const left = (part: Left | null, span: string) =>
    part === null ? [] : [`${formatCount(part.left)} of ${formatCount(part.limit)} ${span}`];
  return [...left(limits.minute, 'this minute'), ...left(limits.day, 'today')].join(', ');
}

interface Left {
  readonly left: number;
  readonly limit: number;
}
