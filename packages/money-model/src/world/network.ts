import type { Timer } from '@tollgate/core';
import { type CallFaults, type Process, unreachable } from './process';
import type { Scheduler } from './scheduler';

/** Rejects after the time; what was asked for may still happen. */
export function answerWithin<Answer>(
  process: Process,
  timeoutMs: number,
  answer: Promise<Answer>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timer: Timer = process.clock.schedule(timeoutMs, () => reject(unreachable()));
    answer.then(
      (value) => {
        timer.cancel();
        resolve(value);
      },
      (error: unknown) => {
        timer.cancel();
        reject(error);
      },
    );
  });
}

/** One call between two processes. */
export interface RemoteCall<Target extends { readonly process: Process }, Answer> {
  readonly from: Process;
  /** Who gets it when it arrives; undefined when nobody listens. */
  readonly target: () => Target | undefined;
  readonly handle: (target: Target) => Promise<Answer>;
  readonly timeoutMs: number;
  readonly faults: CallFaults;
}

/**
 * Calls another process. The call may be lost, be handled after its caller is gone, end with its
 * target, or be handled and look like a failure.
 */
export function callRemote<Target extends { readonly process: Process }, Answer>(
  scheduler: Scheduler,
  { from, target, handle, timeoutMs, faults }: RemoteCall<Target, Answer>,
): Promise<Answer> {
  const travel = from.call(() => {
    const reached = target();
    if (reached === undefined || !reached.process.alive) throw unreachable();
    return new Promise<Answer>((resolve, reject) => {
      reached.process.onKilled(() => reject(unreachable()));
      // The target works when its own turn comes, and not at all when it is gone by then.
      const begin = () => {
        handle(reached).then(resolve, reject);
      };
      if (scheduler.isCalm) begin();
      else scheduler.add(reached.process, begin);
    });
  }, faults);
  return answerWithin(from, timeoutMs, travel);
}
