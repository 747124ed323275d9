import { backoffDelayMs, type Clock, delay, type Logger } from '@tollgate/core';
import type { BillingClient, FirstStartStore } from '../domain/ports';

export interface FirstCreditOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly firstStarts: FirstStartStore;
  readonly billing: BillingClient;
  /** Nano-units; 0 grants nothing. */
  readonly amount: bigint;
}

const BACKOFF = { initialMs: 50, maxMs: 5000 } as const;

/**
 * Grants the operator account its first credit. Repeats until billing has taken it, over restarts;
 * billing counts the idempotency key once, so that repeating is safe.
 */
export function createGrantFirstCredit(options: FirstCreditOptions) {
  const { clock, logger, firstStarts, billing, amount } = options;
  const grant = async (): Promise<void> => {
    const state = await firstStarts.read();
    if (state === undefined || state.credited) return;
    if (amount > 0n) {
      const { accountId } = state;
      const idempotencyKey = 'first-start';
      await billing.addCredits({ accountId, amount, note: 'Initial credit', idempotencyKey });
    }
    await firstStarts.markCredited();
  };
  return async (signal: AbortSignal): Promise<void> => {
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      try {
        await grant();
        return;
      } catch (error) {
        logger.debug({ error, attempt }, 'the first credit could not be granted yet');
        await delay(clock, backoffDelayMs(BACKOFF, attempt), signal).catch(() => {});
      }
    }
  };
}
