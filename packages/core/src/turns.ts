import { AppError } from './app-error';
import type { Clock } from './clock';

/** How many take their turn together. */
export interface TurnsOptions {
  readonly atOnceMax: number;
  /** How many may wait for their turn; a further one is refused with SERVICE_UNAVAILABLE. */
  readonly waitingMax: number;
  /** Who waits, for logs: `passwords to be hashed`. */
  readonly whoWaits: string;
}

const RETRY_AFTER_MS = 1_000;

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
      throw new AppError('SERVICE_UNAVAILABLE', { internalMessage, retryAfterMs: RETRY_AFTER_MS });
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

/** How long somebody waits for a turn. */
export interface WaitBound {
  /** Then the work is refused with SERVICE_UNAVAILABLE, milliseconds. */
  readonly waitMsMax: number;
  /** Ends the waiting of one who no longer waits. */
  readonly signal?: AbortSignal | undefined;
}

/** Whoever asks: how long they still wait, milliseconds, and when they no longer do. */
export interface WaitingCall {
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** The rest of the caller's time is for the answer. */
const WAIT_PART = 0.4;

/** How long the question of a call waits for its turn. */
export function waitBoundOf({ deadlineMs, signal }: WaitingCall): WaitBound {
  return { waitMsMax: deadlineMs * WAIT_PART, signal };
}

/** Runs the work when it is its turn. */
export type TurnsByKey = <Result>(
  /** Whose work it is; only one work of each runs at a time. */
  key: string,
  work: () => Promise<Result>,
  wait: WaitBound,
) => Promise<Result>;

export interface TurnsByKeyOptions {
  readonly clock: Clock;
  /** Works that run beside each other, each of another key. */
  readonly atOnceMax: number;
  /** Works that may wait; a further one is refused with SERVICE_UNAVAILABLE. */
  readonly waitingMax: number;
  /** Of these, of one key; a further one is refused with RATE_LIMIT_EXCEEDED. */
  readonly waitingPerKeyMax: number;
}

interface Waiting {
  readonly key: string;
  readonly begin: () => void;
}

/**
 * For expensive questions: few are answered at a time, and of one account one, so that neither
 * all together nor one account alone take what others need. The keys take turns in the order in
 * which they came, however much each of them waits for.
 */
export function createTurnsByKey(options: TurnsByKeyOptions): TurnsByKey {
  const { atOnceMax, waitingMax, waitingPerKeyMax } = options;
  const running = new Set<string>();
  const waiting: Waiting[] = [];

  const beginNext = () => {
    while (running.size < atOnceMax) {
      const index = waiting.findIndex(({ key }) => !running.has(key));
      const [next] = index === -1 ? [] : waiting.splice(index, 1);
      if (next === undefined) return;
      // What else this key waits for goes behind what the others wait for.
      const isOwn = ({ key }: Waiting) => key === next.key;
      const own = waiting.filter(isOwn);
      const others = waiting.filter((each) => !isOwn(each));
      waiting.splice(0, waiting.length, ...others, ...own);
      running.add(next.key);
      next.begin();
    }
  };
  const takeTurn = (key: string, wait: WaitBound): Promise<void> => {
    if (waiting.length >= waitingMax) throw tooBusy(`${waitingMax} wait for their turn`);
    const own = waiting.filter((other) => other.key === key).length;
    if (own >= waitingPerKeyMax) throw tooManyOfOne();
    return waitForTurn(options, { ...wait, key, waiting });
  };
  return async (key, work, wait) => {
    if (running.size < atOnceMax && !running.has(key)) running.add(key);
    else await takeTurn(key, wait);
    try {
      return await work();
    } finally {
      running.delete(key);
      beginNext();
    }
  };
}

function waitForTurn(
  { clock }: TurnsByKeyOptions,
  { key, waiting, signal, waitMsMax }: WaitBound & { key: string; waiting: Waiting[] },
): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const leave = (reason: string) => {
      end();
      waiting.splice(waiting.indexOf(mine), 1);
      reject(tooBusy(reason));
    };
    const onAbort = () => leave('nobody waits for the answer');
    const timer = clock.schedule(waitMsMax, () => leave(`no turn within ${waitMsMax} ms`));
    const end = () => {
      timer.cancel();
      signal?.removeEventListener('abort', onAbort);
    };
    const begin = () => {
      end();
      resolve();
    };
    const mine = { key, begin };
    waiting.push(mine);
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
}

function tooBusy(internalMessage: string): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    publicMessage: 'Too many such questions are being answered. Please try again shortly.',
    internalMessage,
    retryAfterMs: RETRY_AFTER_MS,
  });
}

function tooManyOfOne(): AppError {
  return new AppError('RATE_LIMIT_EXCEEDED', {
    publicMessage:
      'Too many such questions of this account wait for their answers. Please ask one after the ' +
      'other.',
    retryAfterMs: RETRY_AFTER_MS,
  });
}
