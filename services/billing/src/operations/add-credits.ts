import { createHash } from 'node:crypto';
import { AppError, type Clock, delay, type Nano } from '@tollgate/core';
import type { AccountRules } from '../domain/account-rules';
import type { CreditEntry } from '../domain/ledger-entry';
import type { AccountPolicy } from '../domain/policy';
import type { BillingObserver, LedgerStore } from '../domain/ports';
import type { AccountWriter } from './account-writer';
import type { JournalWait } from './settle-usage';

/** Credit that an operator gives, once per account and idempotency key. */
export interface AddCreditsRequest {
  readonly accountId: string;
  readonly amount: Nano;
  readonly note: string;
  readonly idempotencyKey: string;
}

/** The entry of the credit, new or from the first time. */
export interface AddCreditsResult {
  readonly entry: CreditEntry;
  readonly replayed: boolean;
}

export type AddCreditsOperation = (request: AddCreditsRequest) => Promise<AddCreditsResult>;

interface Dependencies {
  readonly accounts: AccountWriter;
  readonly ledger: LedgerStore;
  readonly rules: AccountRules;
  readonly policy: AccountPolicy;
  readonly clock: Clock;
  readonly observer: BillingObserver;
  readonly journalWait: JournalWait;
}

/** The account and a digest of the caller's key, which may be longer than an id can be. */
export function creditIdOf(accountId: string, idempotencyKey: string): string {
  const digest = createHash('sha256').update(idempotencyKey).digest('base64url');
  return `${accountId}:${digest}`;
}

export function createAddCredits(dependencies: Dependencies): AddCreditsOperation {
  const { accounts, ledger, rules, policy, clock, observer, journalWait } = dependencies;
  return async ({ accountId, amount, note, idempotencyKey }) => {
    const creditId = creditIdOf(accountId, idempotencyKey);
    const endsAt = clock.monotonicMs() + journalWait.waitMsMax;
    for (;;) {
      const { outcome } = await accounts.run<
        ReturnType<AccountRules['addCredits']>['outcome'],
        CreditEntry | undefined
      >(accountId, {
        lookUp: () => ledger.findCredit(accountId, creditId),
        apply: (account, relayed) =>
          rules.addCredits(
            account,
            { creditId, amount, note },
            { relayed, now: clock.now(), policy },
          ),
      });
      if (outcome.kind === 'added') observer.creditsAdded();
      if ('entry' in outcome) return { entry: outcome.entry, replayed: outcome.kind !== 'added' };
      if (outcome.kind === 'mismatch') throw new AppError('IDEMPOTENCY_MISMATCH');
      if (outcome.kind === 'tooMuch') {
        const publicMessage = 'The account cannot hold so much credit.';
        throw new AppError('VALIDATION_ERROR', { param: 'amount', publicMessage });
      }
      if (clock.monotonicMs() >= endsAt) {
        throw new AppError('SERVICE_UNAVAILABLE', {
          internalMessage: `the journal of ${accountId} is full and is not being relayed`,
          retryAfterMs: journalWait.pollMs,
        });
      }
      await delay(clock, journalWait.pollMs);
    }
  };
}
