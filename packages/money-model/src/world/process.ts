import { AppError, type Clock } from '@tollgate/core';
import type { Scheduler, TaskOwner } from './scheduler';

/** How often a call goes wrong on its way, each in [0, 1). */
export interface CallFaults {
  /** It never arrives. */
  readonly lostRequest: number;
  /** It is done, and the caller sees an error. */
  readonly lostAnswer: number;
}

/** Nothing goes wrong on the way to a local disk. */
export const NO_CALL_FAULTS: CallFaults = { lostRequest: 0, lostAnswer: 0 };

/** One life of a process, from its start to its kill. */
export interface Process extends TaskOwner {
  readonly name: string;
  readonly clock: Clock;
  /**
   * Something outside of the process is asked to do something. It arrives when the scheduler says
   * so, perhaps after the process is gone, and the answer comes as late.
   */
  call<Answer>(execute: () => Answer | Promise<Answer>, faults: CallFaults): Promise<Answer>;
  /** Its waiting tasks stay where they are until then. */
  pause(durationMs: number): void;
  /** Ends it between two awaits; what it sent may still arrive. */
  kill(): void;
  onKilled(listener: () => void): void;
}

/** An answer that says nothing about what happened. */
export function unreachable(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', { internalMessage: 'no answer came' });
}

/** Epoch and clock error of a process. */
export interface ProcessClock {
  readonly epochMs: number;
  /** The lead of its wall clock, milliseconds. */
  readonly skewMs: number;
}

function createProcessClock(scheduler: Scheduler, owner: TaskOwner, time: ProcessClock): Clock {
  return {
    now: () => Math.floor(time.epochMs + time.skewMs + scheduler.elapsedMs),
    monotonicMs: () => scheduler.elapsedMs,
    schedule: (delayMs, callback) => scheduler.after(owner, delayMs, callback),
  };
}

/** Starts a process; `zombieChance` is how likely what it has sent arrives after its end. */
export function createProcess(
  scheduler: Scheduler,
  name: string,
  time: ProcessClock,
  zombieChance: number,
): Process {
  const { random } = scheduler;
  const killedListeners: (() => void)[] = [];
  let alive = true;
  let pausedUntilMs = 0;

  const arrive = async <Answer>(
    execute: () => Answer | Promise<Answer>,
    faults: CallFaults,
  ): Promise<Answer> => {
    if (!scheduler.isCalm && random.chance(faults.lostRequest)) throw unreachable();
    const answer = await execute();
    if (!scheduler.isCalm && random.chance(faults.lostAnswer)) throw unreachable();
    return answer;
  };

  const call: Process['call'] = (execute, faults) => {
    if (scheduler.isCalm) return Promise.resolve().then(execute);
    return new Promise((resolve, reject) => {
      const deliver = (answer: () => void) => {
        if (alive) scheduler.add(self, answer);
      };
      const run = () => {
        arrive(execute, faults).then(
          (answer) => deliver(() => resolve(answer)),
          (error: unknown) => deliver(() => reject(error)),
        );
      };
      scheduler.add(self, run, true);
    });
  };

  const self: Process = {
    name,
    get alive() {
      return alive;
    },
    get pausedUntilMs() {
      return pausedUntilMs;
    },
    get clock() {
      return clock;
    },
    call,
    pause(durationMs) {
      pausedUntilMs = scheduler.elapsedMs + durationMs;
    },
    kill() {
      alive = false;
      scheduler.drop(self, () => random.chance(zombieChance));
      for (const listener of killedListeners.splice(0)) listener();
    },
    onKilled: (listener) => void killedListeners.push(listener),
  };
  const clock = createProcessClock(scheduler, self, time);
  return self;
}
