import type { Clock, Logger, Timer } from '@tollgate/core';
import type { Model } from '../domain/model';
import { modelChanged } from './route-log';

export interface LaterPricesOptions {
  /** Tells the log: followers are sent nothing new for a revision that they hold. */
  readonly announce: (change: string) => Promise<unknown>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * The next price whose time lies ahead: the clock of the replica that set it was ahead of this
 * one's. When its time comes the log is told, because otherwise nobody would read the table then.
 */
export interface LaterPrices {
  /** Has seen these, whose prices were taken as they were at `now`. */
  note(models: readonly Model[], now: number): void;
  stop(): void;
}

/** Between two looks at the clock, which may be set meanwhile. */
const LOOK_MS = 60_000;
const RETRY_MS = 5_000;

export function createLaterPrices({ announce, clock, logger }: LaterPricesOptions): LaterPrices {
  let awaited: { readonly atMs: number; readonly timer: Timer } | undefined;
  let stopped = false;

  const wait = (model: string, atMs: number, delayMs: number): void => {
    awaited?.timer.cancel();
    awaited = { atMs, timer: clock.schedule(Math.min(delayMs, LOOK_MS), () => look(model, atMs)) };
  };

  const look = (model: string, atMs: number): void => {
    const leftMs = atMs - clock.now();
    if (leftMs > 0) {
      wait(model, atMs, leftMs);
      return;
    }
    awaited = undefined;
    // What is told is read as a whole by every replica, which finds the next price here.
    announce(modelChanged(model)).catch((error: unknown) => {
      if (stopped) return;
      logger.warn({ model, error }, 'a price that is in force cannot be told now; tried again');
      wait(model, atMs, RETRY_MS);
    });
  };

  return {
    note(models, now) {
      const later = models
        .flatMap(({ name, prices }) => prices.map(({ effectiveAtMs: atMs }) => ({ name, atMs })))
        .filter(({ atMs }) => atMs > now);
      // The one awaited is kept, also when it is in force by now: that is not told yet.
      for (const { name, atMs } of stopped ? [] : later) {
        if (awaited === undefined || atMs < awaited.atMs) wait(name, atMs, atMs - now);
      }
    },
    stop() {
      stopped = true;
      awaited?.timer.cancel();
    },
  };
}
