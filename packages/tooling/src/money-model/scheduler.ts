import type { Timer } from '@tollgate/core';
import type { Random } from './random';

/** Whoever a task belongs to: its tasks end with it. */
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
}

/**
 * Decides what happens next: every await of every participant that is not pure computation ends
 * here, as a task or as a timer, so the seed decides the whole schedule.
 */
export interface Scheduler {
  readonly random: Random;
  /** Milliseconds since the schedule began. */
  readonly nowMs: number;
  /** No choice is left to chance any more: tasks run in order, and nothing waits. */
  readonly isCalm: boolean;
  readonly stepCount: number;
  add(owner: TaskOwner | undefined, run: () => void, inFlight?: boolean): void;
  at(owner: TaskOwner | undefined, delayMs: number, run: () => void): Timer;
  /** Drops what a dead owner waits for; what is in flight stays when `keep` says so. */
  drop(owner: TaskOwner, keep: () => boolean): void;
  calm(): void;
  /** Makes one thing happen and lets the promises that it resolved run; false without any. */
  step(): Promise<boolean>;
}

/** Of two due tasks any may be first; with `hurry` time moves on though tasks are waiting. */
export function createScheduler(random: Random, hurry: number): Scheduler {
  const tasks: Task[] = [];
  const timers = new Set<PendingTimer>();
  let nowMs = 0;
  let isCalm = false;
  let stepCount = 0;

  const nextTimer = (): PendingTimer | undefined => {
    let next: PendingTimer | undefined;
    for (const timer of timers) if (next === undefined || timer.dueMs < next.dueMs) next = timer;
    return next;
  };

  const at: Scheduler['at'] = (owner, delayMs, run) => {
    const timer = { owner, dueMs: nowMs + Math.max(0, delayMs), run };
    timers.add(timer);
    return { cancel: () => void timers.delete(timer) };
  };

  const take = (): Task | undefined => {
    if (isCalm) return tasks.shift();
    const index = Math.floor(random.next() * tasks.length);
    const task = tasks[index];
    const last = tasks.pop();
    if (task !== last && last !== undefined) tasks[index] = last;
    return task;
  };

  /** Puts one due timer among the tasks, or runs it at once when nothing else could happen. */
  const moveTime = (): void => {
    const timer = nextTimer();
    if (timer === undefined) return;
    timers.delete(timer);
    nowMs = Math.max(nowMs, timer.dueMs);
    if (tasks.length === 0) runTask({ ...timer, inFlight: false });
    else tasks.push({ ...timer, inFlight: false });
  };

  const runTask = (task: Task): void => {
    const { owner } = task;
    if (owner !== undefined && !task.inFlight && owner.pausedUntilMs > nowMs) {
      at(owner, owner.pausedUntilMs - nowMs, task.run);
      return;
    }
    task.run();
  };

  return {
    random,
    get nowMs() {
      return nowMs;
    },
    get isCalm() {
      return isCalm;
    },
    get stepCount() {
      return stepCount;
    },
    add: (owner, run, inFlight = false) => void tasks.push({ owner, run, inFlight }),
    at,
    drop(owner, keep) {
      for (const timer of timers) if (timer.owner === owner) timers.delete(timer);
      const kept = tasks.filter((task) => task.owner !== owner || (task.inFlight && keep()));
      tasks.splice(0, tasks.length, ...kept);
    },
    calm() {
      isCalm = true;
    },
    async step() {
      if (tasks.length === 0 && timers.size === 0) return false;
      stepCount += 1;
      const hurries = !isCalm && timers.size > 0 && random.chance(hurry);
      if (tasks.length === 0 || hurries) moveTime();
      else {
        const task = take();
        if (task !== undefined) runTask(task);
      }
      // Every promise that this resolved runs before the next choice.
      await new Promise((resolve) => setImmediate(resolve));
      return true;
    },
  };
}
