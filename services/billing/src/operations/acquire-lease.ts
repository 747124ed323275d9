import { AppError, assertNever, delay, formatAmount, type Nano } from '@tollgate/core';
import type { Account } from '../domain/account';
import type {
  AcquiredLease,
  AcquireLease,
  AcquireOutcome,
  AcquireRefusal,
  RefusalNotice,
} from '../domain/acquire-lease';
import type { AccountParts } from './dependencies';
import type { RecallLeases, RecallWait } from './recall-leases';
import { journalOf } from './store-journal';

/** A refusal needs some time to travel back before the peer's deadline. */
const DEADLINE_RESERVE_MS = 100;

interface AcquireDependencies extends AccountParts {
  readonly recalls: RecallLeases;
  readonly recallWait: RecallWait;
  readonly currency: string;
}

/** Grants or renews a lease; rejects with the AppError that the client is to see. */
export function createAcquireLease(deps: AcquireDependencies) {
  const { accounts, rules, bounds, quarantine, clock, metrics, recallWait } = deps;

  const attempt = async (accountId: string, command: AcquireLease): Promise<Outcome> => {
    const { outcome } = await accounts.run<Outcome>(accountId, {
      apply(account) {
        // What such an account spends might never be settled. A lease that it has goes on.
        if (quarantine.isWaiting(journalOf(accountId)) && !isRenewal(account, command)) {
          return { account, outcome: { kind: 'quarantined' } };
        }
        return rules.acquireLease(account, command, clock.now(), bounds);
      },
    });
    return outcome;
  };

  /** Nobody waits for these calls: a holder that cannot be reached must not cost the whole wait. */
  const callBack = (accountId: string, { recallable }: AcquireRefusal): void => {
    deps.recalls.start(accountId, recallable).catch(() => {});
  };

  /** Looks again while holders close their leases, until there is enough or the time is up. */
  const awaitCredit = async (
    accountId: string,
    command: AcquireLease,
    first: AcquireRefusal,
    waitMs: number,
  ): Promise<Outcome> => {
    const endsMonotonicMs = clock.monotonicMs() + waitMs;
    let outcome: Outcome = first;
    const asked = new Set(first.recallable);
    for (let pauseMs = recallWait.pollInitialMs; ; pauseMs *= 2) {
      const leftMs = endsMonotonicMs - clock.monotonicMs();
      if (leftMs <= 0) return outcome;
      await delay(clock, Math.min(pauseMs, recallWait.pollMsMax, leftMs));
      outcome = await attempt(accountId, command);
      // Without a lease that could still return credit there is nothing to wait for.
      if (!isAcquireRefusal(outcome) || outcome.recallable.length === 0) return outcome;
      // Credit that the first recall freed may have gone to others who wait.
      if (outcome.recallable.some((number) => !asked.has(number))) callBack(accountId, outcome);
      for (const number of outcome.recallable) asked.add(number);
    }
  };

  const notifyOwner = async (
    accountId: string,
    command: AcquireLease,
    refusal: AcquireRefusal,
  ): Promise<void> => {
    const { budget } = command;
    let refused: RefusalNotice = { kind: 'insufficient' };
    if (refusal.kind === 'budgetExceeded' && budget !== undefined) {
      refused = { kind: 'budgetExceeded', budget };
    }
    await accounts.run(accountId, {
      apply: (account) => rules.notifyOfRefusal(account, refused, clock.now(), bounds),
    });
  };

  return async (
    accountId: string,
    command: AcquireLease,
    /** Milliseconds that the peer still waits. */
    deadlineMs: number,
  ): Promise<AcquiredLease> => {
    let outcome = await attempt(accountId, command);
    if (isAcquireRefusal(outcome) && outcome.recallable.length > 0) {
      const waitMs = Math.min(recallWait.waitMsMax, deadlineMs - DEADLINE_RESERVE_MS);
      callBack(accountId, outcome);
      outcome = await awaitCredit(accountId, command, outcome, waitMs);
    }
    if ('acquired' in outcome) {
      metrics.leases.inc({ kind: outcome.kind });
      return outcome.acquired;
    }
    metrics.refusedLeases.inc({ reason: outcome.kind });
    if (isAcquireRefusal(outcome) && outcome.noticeDue)
      await notifyOwner(accountId, command, outcome);
    const suspendBelow = 'suspendBelow' in outcome ? outcome.suspendBelow : undefined;
    throw suspendBelow === undefined
      ? leaseErrorOf(outcome)
      : suspended(suspendBelow, deps.currency);
  };
}

/** As the rule decides, unless the account's journal is quarantined. */
type Outcome = AcquireOutcome | { readonly kind: 'quarantined' };

function isRenewal({ leases }: Account, { nonce }: AcquireLease): boolean {
  return [...leases.values()].some((lease) => lease.nonce === nonce);
}

function isAcquireRefusal(outcome: Outcome): outcome is AcquireRefusal {
  return 'recallable' in outcome;
}

function suspended(suspendBelow: Nano, currency: string): AppError {
  const amount = `${formatAmount(suspendBelow)} ${currency}`;
  return new AppError('INSUFFICIENT_BALANCE', {
    spendingSuspended: true,
    publicMessage:
      `This account spends nothing while its balance is below ${amount}, as it set by ` +
      'suspend_below. Top up, or change it with PUT /v1/billing/thresholds.',
  });
}

function leaseErrorOf(refused: Exclude<Outcome, { readonly acquired: AcquiredLease }>): AppError {
  const { kind } = refused;
  switch (kind) {
    case 'insufficient': {
      const { balance } = refused;
      return new AppError('INSUFFICIENT_BALANCE', balance === undefined ? {} : { balance });
    }
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
    case 'quarantined':
      return new AppError('SERVICE_UNAVAILABLE', {
        internalMessage: 'the journal of the account is quarantined',
        retryAfterMs: 1_000,
      });
    default:
      return assertNever(kind);
  }
}
