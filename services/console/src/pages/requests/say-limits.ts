import type { Story } from '../../api/schemas';
import { formatCount } from '../../format/quantity';

/** `59 of 60 this minute, 999 of 1,000 today`; undefined when there was no limit. */
export function sayLimits(limits: Story['limits_left']): string | undefined {
  if (limits === null) return undefined;
  const say = (part: Left | null, span: string) =>
    part === null ? [] : [`${formatCount(part.left)} of ${formatCount(part.limit)} ${span}`];
  return [...say(limits.minute, 'this minute'), ...say(limits.day, 'today')].join(', ');
}

interface Left {
  readonly left: number;
  readonly limit: number;
}
