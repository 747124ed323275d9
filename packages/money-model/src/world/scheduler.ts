import type { Timer } from '@tollgate/core';
import type { Random } from '../random';

/** The process that a task belongs to: its tasks end with it. */
export interface TaskOwner {
  readonly alive: boolean;
  /** Its tasks wait until then, milliseconds of the schedule. */
  readonly pausedUntilMs: number;
}

/** Something that may happen next. */
interface Task {
  readonly owner: TaskOwner | undefined;
  /** It has left its owner (a command, a message), so it may happen after the owner's end. */
  readonly inFlight: boolean;
  readonly run: () => void;
}

interface PendingTimer {
  readonly owner: TaskOwner | undefined;
  readonly dueMs: number;
  readonly run: () => void;
  cancelled: boolean;
}

/**
 * Decides what happens next: every await of every participant that is not pure computation ends
 * here, as a task or as a timer, so the seed decides the whole schedule.
 */
export interface Scheduler {
  readonly random: Random;
  /** Milliseconds since the schedule began. */
  readonly elapsedMs: number;
  /** No choice is left to chance any more: tasks run in order, and nothing waits. */
  readonly isCalm: boolean;
  readonly stepCount: number;
  add(owner: TaskOwner | undefined, run: () => void, inFlight?: boolean): void;
  after(owner: TaskOwner | undefined, delayMs: number, run: () => void): Timer;
  /** Drops what a dead owner waits for; what is in flight stays when `keep` says so. */
  drop(owner: TaskOwner, keep: () => boolean): void;
  calm(): void;
  /** The step during which this was called ends when the work outside has ended. */
  hold(work: Promise<unknown>): void;
  /** Makes one thing happen and lets the promises that it resolved run; false without any. */
  step(): Promise<boolean>;
}

/** A tick of the event loop after so many steps lets the process see its signals. */
const STEPS_PER_TICK = 512;

/**
 * Every promise that a step resolved runs before the next choice: `process.nextTick` calls back only
 * when no promise has anything left to run, and is cheaper than a tick of the event loop.
 */
function letPromisesRun(stepCount: number): Promise<void> {
  return new Promise((resolve) => {
    if (stepCount % STEPS_PER_TICK === 0) setImmediate(resolve);
    else process.nextTick(resolve);
  });
}

/** Of two due tasks any may be first; with `hurry` time moves on though tasks are waiting. */
export function createScheduler(random: Random, hurry: number): Scheduler {
  const tasks: Task[] = [];
  /** Latest first: the next one is taken off the end. */
  const timers: PendingTimer[] = [];
  const held = new Set<Promise<unknown>>();
  let elapsedMs = 0;
  let isCalm = false;
  let stepCount = 0;

  const after: Scheduler['after'] = (owner, delayMs, run) => {
    const timer = {
      owner,
      dueMs: delayMs > 0 ? elapsedMs + delayMs : elapsedMs,
      run,
      cancelled: false,
    };
    let place = timers.length;
    while (place > 0 && (timers[place - 1]?.dueMs ?? 0) <= timer.dueMs) place -= 1;
    timers.splice(place, 0, timer);
    return {
      cancel() {
        timer.cancelled = true;
      },
    };
  };

  const take = (): Task | undefined => {
    if (isCalm) return tasks.shift();
    const index = random.int(0, tasks.length - 1);
    const task = tasks[index];
    const last = tasks.pop();
    if (task !== last && last !== undefined) tasks[index] = last;
    return task;
  };

  /** Puts one due timer among the tasks, or runs it at once when nothing else could happen. */
  const moveTime = (): void => {
    let timer = timers.pop();
    while (timer?.cancelled) timer = timers.pop();
    if (timer === undefined) return;
    if (timer.dueMs > elapsedMs) elapsedMs = timer.dueMs;
    if (tasks.length === 0) runTask({ ...timer, inFlight: false });
    else tasks.push({ ...timer, inFlight: false });
  };

  const runTask = (task: Task): void => {
    const { owner } = task;
    if (owner !== undefined && !task.inFlight && owner.pausedUntilMs > elapsedMs) {
      after(owner, owner.pausedUntilMs - elapsedMs, task.run);
      return;
    }
    task.run();
  };

  return {
    random,
    get elapsedMs() {
      return elapsedMs;
    },
    get isCalm() {
      return isCalm;
    },
    get stepCount() {
      return stepCount;
    },
    add: (owner, run, inFlight = false) => void tasks.push({ owner, run, inFlight }),
    after,
    drop(owner, keep) {
      for (const timer of timers) if (timer.owner === owner) timer.cancelled = true;
      const kept = tasks.filter((task) => task.owner !== owner || (task.inFlight && keep()));
      tasks.splice(0, tasks.length, ...kept);
    },
    calm() {
      isCalm = true;
    },
    hold(work) {
      const done = () => void held.delete(work);
      held.add(work);
      work.then(done, done);
    },
    async step() {
      if (tasks.length === 0 && timers.length === 0) return false;
      stepCount += 1;
      const hurries = !isCalm && timers.length > 0 && random.chance(hurry);
      if (tasks.length === 0 || hurries) moveTime();
      else {
        const task = take();
        if (task !== undefined) runTask(task);
      }
      await letPromisesRun(stepCount);
      while (held.size > 0) {
        await Promise.allSettled(held);
        await letPromisesRun(stepCount);
      }
      return true;
    },
  };
}
