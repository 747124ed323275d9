import { AppError, type Clock, createBoundedMap } from '@tollgate/core';
import type { Principal } from '../domain/principal';
import type { Revocation } from './principal-cache';

/** Asks identity for a user's present principal; rejects with NOT_FOUND for unknown users. */
export type UserLoader = (userId: string) => Promise<Principal>;

export interface UserDirectoryOptions {
  readonly entriesMax: number;
  /** How long a principal is used before it is asked for again, milliseconds. */
  readonly ttlMs: number;
  readonly clock: Clock;
  readonly load: UserLoader;
}

/** Principals of signed-in users: tokens last an hour, suspensions and plans change sooner. */
export interface UserDirectory {
  /** Rejects with UNAUTHORIZED for users that are gone, SERVICE_UNAVAILABLE when unknowable. */
  principalOf(userId: string): Principal | Promise<Principal>;
  applyRevocations(changes: readonly Revocation[], reset: boolean): void;
}

export function createUserDirectory(options: UserDirectoryOptions): UserDirectory {
  const { clock } = options;
  const entries = createBoundedMap<string, { principal: Principal; untilMs: number }>(
    options.entriesMax,
  );
  const running = new Map<string, Promise<Principal>>();
  // Counts what was pushed, so that an answer that was under way meanwhile is not kept.
  let changesSeen = 0;

  const ask = async (userId: string): Promise<Principal> => {
    const seen = changesSeen;
    try {
      const principal = await options.load(userId);
      if (seen === changesSeen) {
        entries.set(userId, { principal, untilMs: clock.monotonicMs() + options.ttlMs });
      }
      return principal;
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') {
        throw new AppError('UNAUTHORIZED', { cause: error });
      }
      if (error instanceof AppError && error.code === 'UNAUTHORIZED') throw error;
      throw new AppError('SERVICE_UNAVAILABLE', { cause: error });
    } finally {
      running.delete(userId);
    }
  };

  return {
    principalOf(userId) {
      const entry = entries.get(userId);
      if (entry !== undefined && clock.monotonicMs() < entry.untilMs) return entry.principal;
      const asked = running.get(userId) ?? ask(userId);
      running.set(userId, asked);
      return asked;
    },
    applyRevocations(changes, reset) {
      if (!reset && changes.length === 0) return;
      changesSeen += 1;
      if (reset) entries.clear();
      const accounts = new Set(changes.map((change) => change.accountId));
      for (const [userId, { principal }] of [...entries.entries()]) {
        if (accounts.has(principal.accountId)) entries.delete(userId);
      }
    },
  };
}
