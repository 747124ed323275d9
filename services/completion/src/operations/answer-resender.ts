import {
  type BackoffPolicy,
  backoffDelayMs,
  type Clock,
  delay,
  isTransient,
  type Logger,
  MINUTE_MS,
} from '@tollgate/core';
import { type KeptAnswers, NOT_DONE } from '../domain/kept-answers';

interface Dependencies {
  readonly keptAnswers: KeptAnswers;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Sends again what billing did not take. */
export interface AnswerResender extends KeptAnswers {
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
  const { clock, keptAnswers, logger } = deps;
  const stopping = new AbortController();
  let waitingBytes = 0;

  async function sendAgain(send: () => Promise<void>): Promise<void> {
    const endMs = clock.monotonicMs() + PATIENCE_MS;
    for (let attempt = 0; ; attempt += 1) {
      await delay(clock, backoffDelayMs(BACKOFF, attempt), stopping.signal);
      try {
        await send();
        return;
      } catch (error) {
        if (!isTransient(error) || clock.monotonicMs() >= endMs) throw error;
      }
    }
  }

  async function sendOnce(
    send: () => Promise<void>,
    { bytes, onGivenUp }: { readonly bytes: number; readonly onGivenUp: (error: unknown) => void },
  ): Promise<void> {
    try {
      await send();
    } catch (error) {
      const own = Math.max(bytes, WAITING_BYTES_MIN);
      if (!isTransient(error) || waitingBytes + own > WAITING_BYTES_MAX) throw error;
      waitingBytes += own;
      sendAgain(send)
        .catch((last: unknown) => onGivenUp(stopping.signal.aborted ? error : last))
        .finally(() => {
          waitingBytes -= own;
        });
    }
  }

  return {
    keep: (accountId, requestId, answer) =>
      sendOnce(() => keptAnswers.keep(accountId, requestId, answer), {
        bytes: answer.length,
        onGivenUp: (error) => logger.warn({ error, requestId }, NOT_DONE.keep),
      }),
    drop: (accountId, requestId) =>
      sendOnce(() => keptAnswers.drop(accountId, requestId), {
        bytes: 0,
        onGivenUp: (error) => logger.warn({ error, requestId }, NOT_DONE.drop),
      }),
    stop: () => stopping.abort(),
  };
}
