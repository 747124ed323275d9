import { setTimeout as delay } from 'node:timers/promises';
import type { LoadedAccount } from './accounts';
import { type Attempt, type AttemptOrder, attempt } from './attempt';
import type { FaultSystem } from './fault-system';

/** Load that goes on until it is stopped. */
export interface SteadyLoad {
  /** What was asked so far and has ended, as it was answered. */
  readonly attempts: readonly Attempt[];
  /** The same, those of one request together; the last decides what its client got. */
  readonly requests: readonly (readonly Attempt[])[];
  /** Resolves when everything that was begun has ended. */
  stop(): Promise<void>;
}

/** How much, and what the request of a number asks for; numbers count from 1. */
export interface SteadyLoadOptions {
  /** Requests at once. */
  readonly connections: number;
  /** Begins every tag. */
  readonly tagPrefix: string;
  shapeOf(number: number): Pick<AttemptOrder, 'stream' | 'words' | 'wordIntervalMs'>;
  /** Between the requests of one connection, milliseconds; none when absent. */
  readonly pauseMs?: number;
  /** How often a request that was turned away is asked again; never when absent. */
  readonly retriesMax?: number;
}

/** What the official clients do by themselves, and how long they wait at first and at most. */
export const OFFICIAL_RETRIES = 2;
const RETRY_FIRST_MS = 500;
const RETRY_MS_MAX = 8_000;

/** Sends one request after another on each connection, each for the next account. */
export function startSteadyLoad(
  system: FaultSystem,
  accounts: readonly LoadedAccount[],
  { connections, tagPrefix, shapeOf, pauseMs = 0, retriesMax = 0 }: SteadyLoadOptions,
): SteadyLoad {
  const attempts: Attempt[] = [];
  const requests: (readonly Attempt[])[] = [];
  let begun = 0;
  let running = true;
  const ask = async (number: number): Promise<void> => {
    const account = accounts[number % accounts.length];
    const key = account?.keys[0];
    if (account === undefined || key === undefined) throw new Error('no account to ask for');
    const shape = shapeOf(number);
    const order = {
      ...shape,
      baseUrl: system.baseUrl,
      secret: key.secret,
      accountId: account.id,
      keyId: key.id,
      maxTokens: shape.words,
      leaveAfter: undefined,
    };
    const made: Attempt[] = [];
    for (;;) {
      const tag = `${tagPrefix}${number}.${made.length + 1}`;
      const latest = await attempt({ ...order, tag }, system.elapsedMs);
      attempts.push(latest);
      made.push(latest);
      if (made.length > retriesMax || !isAskedAgain(latest)) break;
      await delay(waitMsAfter(latest, made.length));
    }
    requests.push(made);
  };
  const work = async (): Promise<void> => {
    while (running) {
      begun += 1;
      await ask(begun);
      if (pauseMs > 0) await delay(pauseMs);
    }
  };
  const workers = Promise.all(Array.from({ length: connections }, work));
  return {
    attempts,
    requests,
    async stop() {
      running = false;
      await workers;
    },
  };
}

/** As the official clients decide it: no answer at all, and these statuses; never a cut stream. */
function isAskedAgain({ status }: Attempt): boolean {
  if (status === undefined) return true;
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

function waitMsAfter({ retryAfter }: Attempt, tries: number): number {
  const told = Number(retryAfter) * 1000;
  if (told > 0) return told;
  return Math.min(RETRY_FIRST_MS * 2 ** (tries - 1), RETRY_MS_MAX);
}

/** The answer came to its end. */
export function isComplete({ status, finished }: Attempt): boolean {
  return status === 200 && finished;
}
