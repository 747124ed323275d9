import { useSyncExternalStore } from 'react';
import { createApiClient, unwrap } from '../api/client';
import type { Session, User } from '../api/schemas';
import {
  anonymousApi,
  createSessionTokens,
  type KeptSession,
  keep,
  type SessionKeeper,
} from './session-tokens';

const STORAGE_KEY = 'tollgate.session';
const listeners = new Set<() => void>();
let current = readStored();

/** The tokens live in this tab alone and are gone when the tab closes. */
function readStored(): KeptSession | undefined {
  const text = globalThis.sessionStorage?.getItem(STORAGE_KEY);
  return text ? (JSON.parse(text) as KeptSession) : undefined;
}

const keeper: SessionKeeper = {
  read: () => current,
  write(next) {
    if (next === undefined) sessionStorage.removeItem(STORAGE_KEY);
    else sessionStorage.setItem(STORAGE_KEY, JSON.stringify(next));
    current = next;
    for (const listener of listeners) listener();
  },
};

/** The API as the signed-in user. */
export const api = createApiClient(createSessionTokens(keeper));

export async function logIn(email: string, password: string): Promise<void> {
  const session = await unwrap(anonymousApi.POST('/v1/users/login', { body: { email, password } }));
  keeper.write(keep(session));
}

/** Takes over what the server knows of the user now, after something about them was changed. */
export async function refreshUser(): Promise<void> {
  const user = await unwrap(api.GET('/v1/users/me'));
  const session = keeper.read();
  if (session !== undefined) keeper.write({ ...session, user });
}

/** Turns the one-time code of a sign-in with a provider into a session. */
export async function logInWithCode(code: string): Promise<void> {
  const session: Session = await unwrap(anonymousApi.POST('/v1/oauth/token', { body: { code } }));
  keeper.write(keep(session));
}

/** Ends the session on the server and forgets it here, whether the server answers or not. */
export async function logOut(options: { readonly everywhere?: boolean } = {}): Promise<void> {
  const all_sessions = options.everywhere === true;
  const refresh_token = keeper.read()?.refresh_token;
  const own = refresh_token === undefined || all_sessions ? {} : { refresh_token };
  try {
    await unwrap(api.POST('/v1/users/logout', { body: { all_sessions, ...own } }));
  } finally {
    keeper.write(undefined);
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Undefined when nobody is signed in. */
export function useSession(): KeptSession | undefined {
  return useSyncExternalStore(subscribe, keeper.read);
}

/** The signed-in user; only below the shell, which shows nothing else to anybody. */
export function useUser(): User {
  const session = useSession();
  if (session === undefined) throw new Error('useUser is for pages of the shell');
  return session.user;
}
