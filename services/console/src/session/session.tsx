import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { type ApiClient, createApiClient } from '../api/client';
import type { Session } from '../api/types';
import {
  anonymousApi,
  createSessionTokens,
  type KeptSession,
  keep,
  type SessionKeeper,
} from './session-tokens';

/** Who is logged in, and how to ask the API as that user. */
export interface SessionState {
  readonly session: Session | undefined;
  readonly api: ApiClient;
  logIn(email: string, password: string): Promise<void>;
  /** Ends the session on the server and forgets it here, whether the server answers or not. */
  logOut(): Promise<void>;
}

const SessionContext = createContext<SessionState | undefined>(undefined);
const STORAGE_KEY = 'tollgate.session';

/** The tokens live in this tab alone and are gone when the tab closes. */
function readStored(): KeptSession | undefined {
  const text = sessionStorage.getItem(STORAGE_KEY);
  return text === null ? undefined : (JSON.parse(text) as KeptSession);
}

/** Keeps the session for everything inside. */
export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [session, setSession] = useState(readStored);
  const queries = useQueryClient();
  const actions = useMemo(() => {
    const keeper: SessionKeeper = {
      read: readStored,
      write(next) {
        if (next === undefined) sessionStorage.removeItem(STORAGE_KEY);
        else sessionStorage.setItem(STORAGE_KEY, JSON.stringify(next));
        // What one user saw is not for the next one.
        if (next === undefined) queries.clear();
        setSession(next);
      },
    };
    const api = createApiClient(createSessionTokens(keeper));
    return {
      api,
      async logIn(email: string, password: string) {
        const created = await anonymousApi.post<Session>('/v1/users/login', { email, password });
        keeper.write(keep(created));
      },
      async logOut() {
        try {
          await api.post('/v1/users/logout', {});
        } finally {
          keeper.write(undefined);
        }
      },
    };
  }, [queries]);
  const state = useMemo<SessionState>(() => ({ ...actions, session }), [actions, session]);
  return <SessionContext value={state}>{children}</SessionContext>;
}

/** The session of the surrounding provider. */
export function useSession(): SessionState {
  const state = useContext(SessionContext);
  if (state === undefined) throw new Error('useSession needs a SessionProvider');
  return state;
}
