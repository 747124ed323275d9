import { createId, DAY_MS, sha256Hex } from '@tollgate/core';
import type { RandomSource } from './key-codec';

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
  /** SHA-256 of the token; the token has 256 random bits, so it needs no pepper. */
  readonly digest: string;
  readonly sessionId: string;
  readonly userId: string;
  readonly expiresAtMs: number;
  readonly usedAtMs: number | undefined;
}

/** How long a login lasts without the password, milliseconds. */
const SESSION_LIFETIME_MS = 30 * DAY_MS;

const PREFIX = 'tg_refresh_';
const SHAPE = /^tg_refresh_[A-Za-z0-9_-]{43}$/;

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
  const text = `${PREFIX}${random(32).toString('base64url')}`;
  const { id: sessionId, userId, expiresAtMs } = session;
  const token = { digest: sha256Hex(text), sessionId, userId, expiresAtMs, usedAtMs: undefined };
  return { text, token };
}

/** The digest of a well-formed token; undefined for anything else. */
export function refreshDigest(text: string): string | undefined {
  return SHAPE.test(text) ? sha256Hex(text) : undefined;
}
