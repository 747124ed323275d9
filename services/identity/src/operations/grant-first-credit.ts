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
  return async (signal: AbortSignal): Promise<void> => {
    const state = await firstStarts.read();
    if (state === undefined || state.credited) return;
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      try {
        if (amount > 0n) {
          const note = 'Initial credit';
          const credit = { accountId: state.accountId, amount, note };
          await billing.addCredits({ ...credit, idempotencyKey: 'first-start' });
        }
        await firstStarts.markCredited();
        return;
      } catch (error) {
        logger.debug({ error, attempt }, 'the first credit could not be granted yet');
        await delay(clock, backoffDelayMs(BACKOFF, attempt), signal).catch(() => {});
      }
    }
  };
}
