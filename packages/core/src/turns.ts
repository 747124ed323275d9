import { AppError } from './app-error';

/** How many take their turn together. */
export interface TurnsOptions {
  readonly atOnceMax: number;
  /** How many may wait for their turn; a further one is refused with SERVICE_UNAVAILABLE. */
  readonly waitingMax: number;
  /** Who waits, for logs: `passwords to be hashed`. */
  readonly whoWaits: string;
}

/** Does the work when it is its turn. */
export type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Lets so many run at once; the others wait in the order in which they came. */
export function createTurns({ atOnceMax, waitingMax, whoWaits }: TurnsOptions): Turns {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < atOnceMax) {
      running += 1;
    } else if (waiting.length < waitingMax) {
      // Whoever ends hands its turn over: `running` stays, so that no other can come between.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      const internalMessage = `${waitingMax} ${whoWaits} wait already`;
      throw new AppError('SERVICE_UNAVAILABLE', { internalMessage, retryAfterMs: 1000 });
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
