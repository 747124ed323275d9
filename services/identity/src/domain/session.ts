import { createId, DAY_MS } from '@tollgate/core';
import { type RandomSource, secretTexts } from './secret-text';

/** A login on one device: the family of refresh tokens that descend from it. */
export interface Session {
  readonly id: string;
  readonly userId: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly endedAtMs: number | undefined;
}

/** A refresh token's record. It works once; a second use means that somebody copied it. */
export interface RefreshToken {
  /** Of its text. */
  readonly digest: string;
  readonly sessionId: string;
  readonly userId: string;
  readonly expiresAtMs: number;
  readonly usedAtMs: number | undefined;
}

/** How long a login lasts without the password, milliseconds. */
const SESSION_LIFETIME_MS = 30 * DAY_MS;

const TOKENS = secretTexts('tg_refresh_');

export function createSession(userId: string, now: number): Session {
  const id = createId('session');
  return {
    id,
    userId,
    createdAtMs: now,
    expiresAtMs: now + SESSION_LIFETIME_MS,
    endedAtMs: undefined,
  };
}

export function isSessionOver(session: Session, now: number): boolean {
  return session.endedAtMs !== undefined || session.expiresAtMs <= now;
}

/** A new token of the session: its text, for the client only, and its record. */
export function createRefreshToken(
  session: Session,
  random: RandomSource,
): { readonly text: string; readonly token: RefreshToken } {
  const { text, digest } = TOKENS.create(random);
  const { id: sessionId, userId, expiresAtMs } = session;
  const token = { digest, sessionId, userId, expiresAtMs, usedAtMs: undefined };
  return { text, token };
}

/** The digest of a well-formed token; undefined for anything else. */
export const refreshDigest = TOKENS.digestOf;
