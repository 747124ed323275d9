import type { LoadedAccount } from './accounts';
import { type Attempt, type AttemptOrder, attempt } from './attempt';
import type { FaultSystem } from './fault-system';

/** Load that goes on until it is stopped. */
export interface SteadyLoad {
  /** What was asked so far and has ended, as it was answered; nothing is tried again. */
  readonly attempts: readonly Attempt[];
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
}

/** Sends one request after another on each connection, each for the next account. */
export function startSteadyLoad(
  system: FaultSystem,
  accounts: readonly LoadedAccount[],
  { connections, tagPrefix, shapeOf }: SteadyLoadOptions,
): SteadyLoad {
  const attempts: Attempt[] = [];
  let begun = 0;
  let running = true;
  const work = async (): Promise<void> => {
    while (running) {
      begun += 1;
      const account = accounts[begun % accounts.length];
      const key = account?.keys[0];
      if (account === undefined || key === undefined) throw new Error('no account to ask for');
      const shape = shapeOf(begun);
      const order = {
        ...shape,
        baseUrl: system.baseUrl,
        secret: key.secret,
        accountId: account.id,
        keyId: key.id,
        tag: `${tagPrefix}${begun}`,
        maxTokens: shape.words,
        leaveAfter: undefined,
      };
      attempts.push(await attempt(order, system.nowMs));
    }
  };
  const workers = Promise.all(Array.from({ length: connections }, work));
  return {
    attempts,
    async stop() {
      running = false;
      await workers;
    },
  };
}
