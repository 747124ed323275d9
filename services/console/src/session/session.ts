import { useSyncExternalStore } from 'react';
import { createApiClient } from '../api/client';
import { unwrap } from '../api/queries';
import type { Role, Session, User } from '../api/schemas';
import { anonymousApi, createSessionTokens, type KeptSession, keep } from './session-tokens';

/**
 * Says that this browser was signed in, and nothing more: the refresh token is in a cookie that no
 * script sees, and asking for a session that was never there would be an error of every first visit.
 * Like that cookie it is gone with the browser's own session.
 */
const MARK = 'tollgate_signed_in';
const MARK_ATTRIBUTES = 'Path=/console; SameSite=Strict';

/** Undefined while nobody is signed in; `starting` until the server has said whether anybody is. */
export type SessionState = KeptSession | 'starting' | undefined;

const listeners = new Set<() => void>();
let current: SessionState = isMarked() ? 'starting' : undefined;

function isMarked(): boolean {
  return globalThis.document?.cookie.includes(`${MARK}=1`) ?? false;
}

function read(): SessionState {
  return current;
}

function write(next: KeptSession | undefined): void {
  // biome-ignore lint/suspicious/noDocumentCookie: CookieStore is missing where there is no TLS
  document.cookie = `${MARK}=1; ${MARK_ATTRIBUTES}${next === undefined ? '; Max-Age=0' : ''}`;
  current = next;
  for (const listener of listeners) listener();
}

const tokens = createSessionTokens({ read, write });

/** The API as the signed-in user. */
export const api = createApiClient(tokens);

/** Asks for the session that the browser still has, when the page begins. */
export async function resumeSession(): Promise<void> {
  await tokens.current();
}

export async function logIn(email: string, password: string): Promise<void> {
  const body = { email, password, cookie: true };
  const session = await unwrap(anonymousApi.POST('/v1/users/login', { body }));
  write(keep(session));
}

/** Every session ends with the old password, this one too: a new one begins with the new one. */
export async function changePassword(
  current_password: string,
  new_password: string,
): Promise<void> {
  const session = read();
  if (typeof session !== 'object') throw new Error('nobody is signed in');
  await unwrap(api.POST('/v1/users/password', { body: { current_password, new_password } }));
  await logIn(session.user.email, new_password);
}

/** Turns the one-time code of a sign-in with a provider into a session. */
export async function logInWithCode(code: string): Promise<void> {
  const body = { code, cookie: true };
  const session: Session = await unwrap(anonymousApi.POST('/v1/oauth/token', { body }));
  write(keep(session));
}

/**
 * Ends the session on the server and forgets it here. This one alone is forgotten whether the server
 * answers or not; that the others ended only the server can say.
 */
export async function logOut({ everywhere = false } = {}): Promise<void> {
  const body = { all_sessions: everywhere, cookie: true };
  try {
    await unwrap(anonymousApi.POST('/v1/users/logout', { body }));
  } catch (error) {
    if (everywhere) throw error;
  }
  write(undefined);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

export function useSession(): SessionState {
  return useSyncExternalStore(subscribe, read);
}

/** The signed-in user; only below the shell, which shows nothing else to anybody. */
export function useUser(): User {
  const session = useSession();
  if (typeof session !== 'object') throw new Error('useUser is for pages of the shell');
  return session.user;
}

/** The roles that manage an account: its money, people and webhooks. */
export const MANAGERS: readonly Role[] = ['owner', 'admin', 'operator'];

export function useIsManager(): boolean {
  return MANAGERS.includes(useUser().role);
}
