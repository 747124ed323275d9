import {
  type BackoffPolicy,
  backoffDelayMs,
  type Clock,
  delay,
  isTransient,
  type Logger,
  MINUTE_MS,
} from '@tollgate/core';

/** Where the answers of announced requests are kept. */
export interface AnswerKeeper {
  /** Keeps an encoded KeptAnswer; an empty one says that it was too large. */
  keepAnswer(accountId: string, requestId: string, answer: Buffer): Promise<void>;
  /** Forgets a request that failed and was charged nothing. */
  dropAnswer(accountId: string, requestId: string): Promise<void>;
}

interface Dependencies {
  readonly answers: AnswerKeeper;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Sends again what billing did not take. */
export interface AnswerResender extends AnswerKeeper {
  /** Gives up what still waits. */
  stop(): void;
}

const BACKOFF: BackoffPolicy = { initialMs: 200, maxMs: 10_000 };
/** How long what billing did not take is sent again. */
const PATIENCE_MS = 10 * MINUTE_MS;
const WAITING_BYTES_MAX = 64 * 1024 * 1024;
/** What waits costs at least so much, without an answer as well. */
const WAITING_BYTES_MIN = 1024;

/**
 * A call resolves after its first try, so that no client waits for longer: what failed then and may
 * pass is sent again behind its back. Rejects with what does not pass, and when too much waits.
 */
export function createAnswerResender(deps: Dependencies): AnswerResender {
  const { answers, clock, logger } = deps;
  const stopping = new AbortController();
  let waitingBytes = 0;

  async function sendAgain(requestId: string, send: () => Promise<void>): Promise<void> {
    const endMs = clock.monotonicMs() + PATIENCE_MS;
    for (let attempt = 0; ; attempt += 1) {
      await delay(clock, backoffDelayMs(BACKOFF, attempt), stopping.signal);
      try {
        await send();
        return;
      } catch (error) {
        if (isTransient(error) && clock.monotonicMs() < endMs) continue;
        logger.warn({ error, requestId }, 'an answer was not kept');
        return;
      }
    }
  }

  async function sendOnce(requestId: string, bytes: number, send: () => Promise<void>) {
    try {
      await send();
    } catch (error) {
      const own = Math.max(bytes, WAITING_BYTES_MIN);
      if (!isTransient(error) || waitingBytes + own > WAITING_BYTES_MAX) throw error;
      waitingBytes += own;
      const givenUp = () => logger.warn({ error, requestId }, 'an answer was not kept');
      sendAgain(requestId, send)
        .catch(givenUp)
        .finally(() => {
          waitingBytes -= own;
        });
    }
  }

  return {
    keepAnswer: (accountId, requestId, answer) =>
      sendOnce(requestId, answer.length, () => answers.keepAnswer(accountId, requestId, answer)),
    dropAnswer: (accountId, requestId) =>
      sendOnce(requestId, 0, () => answers.dropAnswer(accountId, requestId)),
    stop: () => stopping.abort(),
  };
}
