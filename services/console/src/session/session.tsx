import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { type ApiClient, createApiClient } from '../api/client';
import type { Session } from '../api/types';

/** Who is logged in, and how to ask the API as that user. */
export interface SessionState {
  readonly session: Session | undefined;
  readonly api: ApiClient;
  logIn(email: string, password: string): Promise<void>;
  logOut(): void;
}

const SessionContext = createContext<SessionState | undefined>(undefined);
const STORAGE_KEY = 'tollgate.session';

/** The token lives in this tab alone and is gone when the tab closes. */
function readStored(): Session | undefined {
  const text = sessionStorage.getItem(STORAGE_KEY);
  return text === null ? undefined : (JSON.parse(text) as Session);
}

/** Keeps the session for everything inside. */
export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [session, setSession] = useState(readStored);
  const state = useMemo<SessionState>(() => {
    const logOut = () => {
      sessionStorage.removeItem(STORAGE_KEY);
      setSession(undefined);
    };
    const api = createApiClient(session?.access_token, logOut);
    return {
      session,
      api,
      logOut,
      async logIn(email, password) {
        const created = await api.post<Session>('/v1/users/login', { email, password });
        sessionStorage.setItem(STORAGE_KEY, JSON.stringify(created));
        setSession(created);
      },
    };
  }, [session]);
  return <SessionContext value={state}>{children}</SessionContext>;
}

/** The session of the surrounding provider. */
export function useSession(): SessionState {
  const state = useContext(SessionContext);
  if (state === undefined) throw new Error('useSession needs a SessionProvider');
  return state;
}
