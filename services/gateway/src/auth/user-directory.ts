import { AppError, type Clock, createBoundedMap, createSharedWork, isCode } from '@tollgate/core';
import { BearerRefusedError } from './bearer';
import type { Principal } from './principal';
import type { Revocation } from './principal-cache';

/**
 * Asks identity for the present principal of a session's user. Rejects with NOT_FOUND for unknown
 * users, with UNAUTHORIZED when the session is over.
 */
export type UserLoader = (userId: string, sessionId: string) => Promise<Principal>;

export interface UserDirectoryOptions {
  readonly entriesMax: number;
  /** How long a principal is used before it is asked for again, milliseconds. */
  readonly ttlMs: number;
  readonly clock: Clock;
  readonly load: UserLoader;
}

/**
 * Principals of signed-in users, by session: tokens last an hour; sessions end, accounts are
 * suspended and plans change sooner. What is remembered of a user goes as soon as identity tells of
 * a change, and is asked for again.
 */
export interface UserDirectory {
  /** UNAUTHORIZED when the session or the user is gone; SERVICE_UNAVAILABLE without identity. */
  principalOf(userId: string, sessionId: string): Principal | Promise<Principal>;
  applyRevocations(changes: readonly Revocation[], reset: boolean): void;
}

export function createUserDirectory(options: UserDirectoryOptions): UserDirectory {
  const { clock } = options;
  const entries = createBoundedMap<string, { principal: Principal; untilMs: number }>(
    options.entriesMax,
  );
  // Sessions whose tokens are refused without asking. Only a restored database could revive one, and
  // then everything is forgotten.
  const over = createBoundedMap<string, true>(options.entriesMax);
  const running = createSharedWork<Principal>();
  // Counts what was pushed, so that an answer that was under way meanwhile is not kept.
  let changesSeen = 0;

  const ask = async (userId: string, sessionId: string): Promise<Principal> => {
    const entryKey = entryKeyOf(userId, sessionId);
    const seen = changesSeen;
    try {
      const principal = await options.load(userId, sessionId);
      if (seen === changesSeen) {
        entries.set(entryKey, { principal, untilMs: clock.monotonicMs() + options.ttlMs });
      }
      return principal;
    } catch (error) {
      if (!isRefusal(error)) throw new AppError('SERVICE_UNAVAILABLE', { cause: error });
      over.set(entryKey, true);
      throw refusalOfSession(userId);
    }
  };

  return {
    principalOf(userId, sessionId) {
      const entryKey = entryKeyOf(userId, sessionId);
      const entry = entries.get(entryKey);
      if (entry !== undefined && clock.monotonicMs() < entry.untilMs) return entry.principal;
      if (over.get(entryKey) === true) throw refusalOfSession(userId);
      return running.run(entryKey, () => ask(userId, sessionId));
    },
    applyRevocations(changes, reset) {
      if (!reset && changes.length === 0) return;
      changesSeen += 1;
      if (reset) {
        entries.clear();
        over.clear();
      }
      const accounts = new Set(changes.map((change) => change.accountId));
      const users = new Set(changes.map((change) => change.userId));
      for (const [entryKey, { principal }] of [...entries.entries()]) {
        const changed = accounts.has(principal.accountId) || users.has(principal.userId);
        if (changed) entries.delete(entryKey);
      }
    },
  };
}

/** A session is one user's: both together say whose token it is. */
function entryKeyOf(userId: string, sessionId: string): string {
  return `${userId} ${sessionId}`;
}

/** The token is one of ours, so that its person is known; of which account, identity says later. */
function refusalOfSession(userId: string): BearerRefusedError {
  const known = { accountId: '', keyId: '', presented: userId };
  return new BearerRefusedError({ fault: 'session', ...known });
}

function isRefusal(error: unknown): boolean {
  return isCode(error, 'NOT_FOUND') || isCode(error, 'UNAUTHORIZED');
}
