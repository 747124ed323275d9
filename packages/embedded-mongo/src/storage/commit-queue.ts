import type { Logger } from '@tollgate/core';
import { CommandError } from '../errors';
import type { Store } from './store';

/** The outcome of one piece of work. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: unknown };

/** Runs work one piece at a time and tells its outcome when that outcome is durable. */
export interface CommitQueue {
  /** Work that only reads. */
  read<T>(work: () => T, done: (outcome: Outcome<T>) => void): void;
  /** Work that may write. */
  write<T>(work: () => T, done: (outcome: Outcome<T>) => void): void;
  /** Commits what is open; later work is refused. */
  close(): void;
}

/**
 * Group commit: the writes that arrive in one tick of the event loop share one transaction and one
 * flush to disk. Nothing is answered before that flush, reads of the same tick included, because
 * they may have seen what is not durable yet.
 */
export function createCommitQueue(store: Store, logger: Logger): CommitQueue {
  let open = false;
  let closed = false;
  let waiting: ((failure: unknown) => void)[] = [];

  const settle = (failure: unknown) => {
    const answers = waiting;
    waiting = [];
    open = false;
    for (const answer of answers) answer(failure);
  };

  const fail = (error: unknown) => {
    logger.error({ error }, 'a transaction of the embedded store was rolled back');
    try {
      store.rollback();
    } catch (rollbackError) {
      logger.error({ error: rollbackError }, 'rolling back failed too');
    }
    settle(new CommandError('UnknownError', 'The write could not be made durable'));
  };

  const commit = () => {
    if (!open) return;
    try {
      store.commit();
    } catch (error) {
      fail(error);
      return;
    }
    settle(undefined);
  };

  const run = <T>(work: () => T, done: (outcome: Outcome<T>) => void) => {
    const outcome = attempt(() => {
      if (closed) throw new CommandError('ShutdownInProgress', 'The store is closing');
      return work();
    });
    if (!open) {
      done(outcome);
      return;
    }
    waiting.push((failure) =>
      done(failure === undefined ? outcome : { ok: false, error: failure }),
    );
    // A CommandError is raised before anything of its document is written; anything else may have
    // stopped half-way, and then the whole group must go.
    if (!outcome.ok && !(outcome.error instanceof CommandError)) fail(outcome.error);
  };

  return {
    read: run,
    write(work, done) {
      run(() => {
        if (!open) {
          store.begin();
          open = true;
          setImmediate(commit);
        }
        return work();
      }, done);
    },
    close() {
      closed = true;
      commit();
    },
  };
}

function attempt<T>(work: () => T): Outcome<T> {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    return { ok: false, error };
  }
}
