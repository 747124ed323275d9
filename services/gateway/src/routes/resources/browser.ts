import type { IncomingMessage } from 'node:http';

/** A page that a person looks at asks for HTML; programs do not. */
export function isBrowser(request: IncomingMessage): boolean {
  return /\btext\/html\b/.test(request.headers.accept ?? '');
}

const COOKIE = 'tollgate_oauth';
const MAX_AGE_S = 600;

/** Ties a login to the browser that began it; the callback is the only path that gets it back. */
export function bindingCookie(value: string, secure: boolean): string {
  const attributes = `Max-Age=${MAX_AGE_S}; Path=/; HttpOnly; SameSite=Lax`;
  return `${COOKIE}=${value}; ${attributes}${secure ? '; Secure' : ''}`;
}

/** What the cookie holds; empty without one. */
export function readBinding(request: IncomingMessage): string {
  const found = /(?:^|;\s*)tollgate_oauth=([\w-]{1,128})/.exec(request.headers.cookie ?? '');
  return found?.[1] ?? '';
}
