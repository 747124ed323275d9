import { setTimeout as delay } from 'node:timers/promises';
import type { SeededRandom } from '../support/seeded-random';
import type { LoadedAccount } from './accounts';
import { type Attempt, attempt } from './attempt';

/** How much load, and from where. */
export interface LoadOrder {
  readonly baseUrl: string;
  readonly accounts: readonly LoadedAccount[];
  /** Requests that an answer must begin for; what was turned away is tried again. */
  readonly requests: number;
  readonly workers: number;
  readonly random: SeededRandom;
  /** Begins every tag. */
  readonly tagPrefix: string;
  elapsedMs(): number;
}

const STREAM_CHANCE = 0.65;
const LEAVE_CHANCE = 0.1;
const CAP_CHANCE = 0.4;
const WORDS = [5, 300] as const;
const INTERVAL_MS = [0, 12] as const;
const RETRY_PAUSE_MS = 250;
/** Turned away for so long: the request is given up, and counted as that. */
const RETRY_MS_MAX = 30_000;

/** Sends the load with a bounded number of clients; answers every exchange. */
export async function runLoad(order: LoadOrder): Promise<readonly Attempt[]> {
  const attempts: Attempt[] = [];
  let begun = 0;
  const work = async (): Promise<void> => {
    while (begun < order.requests) {
      begun += 1;
      attempts.push(...(await requestUntilAnswered(order, begun)));
    }
  };
  await Promise.all(Array.from({ length: order.workers }, work));
  return attempts;
}

/** As a client with retries does: a refusal that may pass is tried again, anything else is final. */
async function requestUntilAnswered(
  { random, accounts, baseUrl, tagPrefix, elapsedMs }: LoadOrder,
  number: number,
): Promise<readonly Attempt[]> {
  const account = random.pick(accounts);
  const key = random.pick(account.keys);
  const stream = random.chance(STREAM_CHANCE);
  const words = random.integer(...WORDS);
  const shape = {
    baseUrl,
    secret: key.secret,
    accountId: account.id,
    keyId: key.id,
    stream,
    words,
    wordIntervalMs: random.integer(...INTERVAL_MS),
    maxTokens: random.chance(CAP_CHANCE) ? words : undefined,
    leaveAfter: stream && random.chance(LEAVE_CHANCE) ? random.integer(1, words) : undefined,
  };
  const attempts: Attempt[] = [];
  const endMs = elapsedMs() + RETRY_MS_MAX;
  for (;;) {
    const tag = `${tagPrefix}${number}.${attempts.length + 1}`;
    const made = await attempt({ ...shape, tag }, elapsedMs);
    attempts.push(made);
    if (!mayPass(made) || elapsedMs() > endMs) return attempts;
    await delay(RETRY_PAUSE_MS);
  }
}

/** No answer at all, or one of "later": with nothing received, nothing speaks against another try. */
function mayPass({ status, tokens, hung }: Attempt): boolean {
  if (hung || tokens > 0) return false;
  return status === undefined || status === 429 || status >= 500;
}
