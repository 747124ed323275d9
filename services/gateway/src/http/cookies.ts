import type { IncomingMessage } from 'node:http';

/** The text of a cookie, of letters, digits, `_` and `-`; undefined without one. */
export function readCookie(
  { headers }: IncomingMessage,
  name: string,
  lengthMax: number,
): string | undefined {
  const cookie = new RegExp(`(?:^|;\\s*)${name}=([\\w-]{1,${lengthMax}})`);
  return cookie.exec(headers.cookie ?? '')?.[1];
}
