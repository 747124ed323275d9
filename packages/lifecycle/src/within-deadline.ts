import type { Clock } from '@tollgate/core';

/** The work did not end in time. It may still be running. */
class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/** The work's result, or a DeadlineError after `deadlineMs`. */
export function withinDeadline<T>(
  clock: Clock,
  deadlineMs: number,
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = clock.schedule(deadlineMs, () => {
      reject(new DeadlineError(`${what} did not end within ${Math.round(deadlineMs)} ms`));
    });
    // The extra then turns a synchronous throw of `work` into a rejection.
    Promise.resolve()
      .then(work)
      .then(resolve, reject)
      .finally(() => timer.cancel());
  });
}
