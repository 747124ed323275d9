import { createSystemClock } from '@tollgate/core';

const DAY_MS = 86_400_000;
const NOON_MS = DAY_MS / 2;

/** Noon UTC of the day after tomorrow: deadlines of real calls made by a clock there never pass. */
export function noonAhead(): number {
  const today = Math.floor(createSystemClock().now() / DAY_MS);
  return (today + 2) * DAY_MS + NOON_MS;
}
