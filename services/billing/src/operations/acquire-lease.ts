import { AppError, assertNever, type Clock, delay } from '@tollgate/core';
import type { AccountRules } from '../domain/account-rules';
import type {
  AcquireDenial,
  AcquireLease,
  AcquireOutcome,
  LeaseGrant,
} from '../domain/acquire-lease';
import type { Denial } from '../domain/note-denial';
import type { AccountPolicy } from '../domain/policy';
import type { BillingObserver } from '../domain/ports';
import type { AccountWriter } from './account-writer';
import type { RecallLeases } from './recall-leases';

/** How long a request may wait for others to give credit back. */
export interface RecallWait {
  /** Milliseconds in all. */
  readonly waitMsMax: number;
  /** Pause before the first look at the account; each later one is twice as long. */
  readonly pollInitialMs: number;
  readonly pollMsMax: number;
}

export const DEFAULT_RECALL_WAIT: RecallWait = {
  waitMsMax: 1_000,
  pollInitialMs: 20,
  pollMsMax: 200,
};

/** Grants or renews a lease; rejects with the AppError that the caller's client is to see. */
export type AcquireLeaseOperation = (
  accountId: string,
  command: AcquireLease,
  /** Milliseconds that the caller still waits. */
  deadlineMs: number,
) => Promise<LeaseGrant>;

interface Dependencies {
  readonly accounts: AccountWriter;
  readonly rules: AccountRules;
  readonly policy: AccountPolicy;
  readonly recall: RecallLeases;
  readonly clock: Clock;
  readonly observer: BillingObserver;
  readonly recallWait: RecallWait;
}

/** A refusal needs some time to travel back before the caller's deadline. */
const DEADLINE_RESERVE_MS = 100;

function isDenial(outcome: AcquireOutcome): outcome is AcquireDenial {
  return 'recall' in outcome;
}

function refusalOf(kind: Exclude<AcquireOutcome['kind'], 'granted' | 'renewed'>): AppError {
  switch (kind) {
    case 'insufficient':
      return new AppError('INSUFFICIENT_BALANCE');
    case 'budgetExceeded':
      return new AppError('KEY_BUDGET_EXCEEDED');
    case 'tooManyLeases':
      return new AppError('SERVICE_UNAVAILABLE', {
        internalMessage: 'the account has as many open leases as it may have',
        retryAfterMs: 1_000,
      });
    case 'tooManyBudgets':
      return new AppError('CONFLICT', {
        publicMessage: 'The account has as many API keys with a budget as it may have.',
      });
    case 'nonceTaken':
      return new AppError('CONFLICT', {
        internalMessage: 'the nonce stands in a lease of another holder',
      });
    default:
      return assertNever(kind);
  }
}

export function createAcquireLease(dependencies: Dependencies): AcquireLeaseOperation {
  const { accounts, rules, policy, clock, observer, recallWait } = dependencies;

  const attempt = async (accountId: string, command: AcquireLease): Promise<AcquireOutcome> => {
    const { outcome } = await accounts.run(accountId, {
      apply: (account) => rules.acquireLease(account, command, clock.now(), policy),
    });
    return outcome;
  };

  /** Holders are called while we look: one that cannot be reached must not cost the whole wait. */
  const callBack = (accountId: string, { recall }: AcquireDenial): void => {
    dependencies.recall.recall(accountId, recall).catch(() => {});
  };

  /** Looks again while holders close their leases, until there is enough or the time is up. */
  const awaitCredit = async (
    accountId: string,
    command: AcquireLease,
    first: AcquireDenial,
    waitMs: number,
  ): Promise<AcquireOutcome> => {
    const endsAt = clock.monotonicMs() + waitMs;
    let outcome: AcquireOutcome = first;
    const asked = new Set(first.recall);
    for (let pauseMs = recallWait.pollInitialMs; ; pauseMs *= 2) {
      const leftMs = endsAt - clock.monotonicMs();
      if (leftMs <= 0) return outcome;
      await delay(clock, Math.min(pauseMs, recallWait.pollMsMax, leftMs));
      outcome = await attempt(accountId, command);
      // Without a lease that could still give credit back there is nothing to wait for.
      if (!isDenial(outcome) || outcome.recall.length === 0) return outcome;
      // What the first recall freed may have gone to others who wait.
      if (outcome.recall.some((number) => !asked.has(number))) callBack(accountId, outcome);
      for (const number of outcome.recall) asked.add(number);
    }
  };

  const tellOwner = async (
    accountId: string,
    command: AcquireLease,
    denial: AcquireDenial,
  ): Promise<void> => {
    const keyId = command.budget?.keyId;
    let noted: Denial = { kind: 'insufficient' };
    if (denial.kind === 'budgetExceeded' && keyId !== undefined) {
      noted = { kind: 'budgetExceeded', keyId };
    }
    await accounts.run(accountId, {
      apply: (account) => rules.noteDenial(account, noted, clock.now(), policy),
    });
  };

  return async (accountId, command, deadlineMs) => {
    let outcome = await attempt(accountId, command);
    if (isDenial(outcome) && outcome.recall.length > 0) {
      const waitMs = Math.min(recallWait.waitMsMax, deadlineMs - DEADLINE_RESERVE_MS);
      callBack(accountId, outcome);
      outcome = await awaitCredit(accountId, command, outcome, waitMs);
    }
    if ('grant' in outcome) {
      observer.leaseGranted(outcome.kind);
      return outcome.grant;
    }
    observer.leaseDenied(outcome.kind);
    if (isDenial(outcome) && outcome.noticeDue) await tellOwner(accountId, command, outcome);
    throw refusalOf(outcome.kind);
  };
}
