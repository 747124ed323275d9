import { createHash } from 'node:crypto';
import { AppError, formatAmount, NANO_MAX, type Nano, nano } from '@tollgate/core';
import type { AddCreditsOutcome, AdjustBalanceOutcome, GrantOutcome } from '../domain/credits';
import type { AdjustmentEntry, CreditEntry } from '../domain/ledger-entry';
import type { LedgerStore } from '../domain/ports';
import { createJournalFull, type JournalWait, retryForRoom } from './journal';
import type { RecallLeases, RecallWait } from './leases';
import type { AccountParts } from './parts';

/** Credit that an operator gives, once per account and idempotency key. */
export interface AddCreditsRequest {
  readonly accountId: string;
  readonly amount: Nano;
  readonly note: string;
  readonly idempotencyKey: string;
  /** Who asked for it, where that is known. */
  readonly actorId?: string | undefined;
}

/** A correction by an operator, once per account and idempotency key. */
export interface AdjustBalanceRequest {
  readonly accountId: string;
  /** Not 0; below 0 it takes back. */
  readonly amount: Nano;
  readonly reason: string;
  readonly idempotencyKey: string;
  /** Who asked for it, where that is known. */
  readonly actorId?: string | undefined;
}

/** Credit under a name of its own; the account has at most one of that name. */
export interface CreditGrant {
  readonly accountId: string;
  readonly name: string;
  readonly amount: Nano;
  readonly note: string;
  readonly actorId?: string | undefined;
}

export type GrantCredit = (grant: CreditGrant) => Promise<GrantResult<CreditEntry>>;

/** The entry, new or from the first time. */
export interface GrantResult<Entry> {
  readonly entry: Entry;
  readonly replayed: boolean;
}

interface Dependencies extends AccountParts {
  readonly ledger: LedgerStore;
  readonly journalWait: JournalWait;
}

/** A digest of the client's key, which may be longer than an id can be. */
function digestOf(idempotencyKey: string): string {
  return createHash('sha256').update(idempotencyKey).digest('base64url');
}

/** The entry, or why there is none. */
function resultOf<Entry>(
  accountId: string,
  outcome: GrantOutcome<Entry>,
  { pollMs }: JournalWait,
): GrantResult<Entry> {
  if ('entry' in outcome) return { entry: outcome.entry, replayed: outcome.kind === 'replayed' };
  if (outcome.kind === 'mismatch') throw new AppError('IDEMPOTENCY_MISMATCH');
  if (outcome.kind === 'journalFull') throw createJournalFull(accountId, pollMs);
  const most = formatAmount(nano(NANO_MAX));
  const publicMessage = `The account cannot hold so much credit: at most ${most} in all, spent or not.`;
  throw new AppError('VALIDATION_ERROR', { param: 'amount', publicMessage });
}

export function createAddCredits(grantCredit: GrantCredit) {
  return ({ idempotencyKey, ...credit }: AddCreditsRequest) =>
    grantCredit({ ...credit, name: digestOf(idempotencyKey) });
}

/** Of what an account can be credited in its life; from then on each credit is a warning. */
const GRANTED_WARNED = (NANO_MAX / 4n) * 3n;

/** The one function that gives credit, for every command that does. */
export function createGrantCredit(deps: Dependencies): GrantCredit {
  const { accounts, ledger, rules, policy, clock, metrics, journalWait, logger } = deps;
  const { waitMsMax, pollMs } = journalWait;
  return async ({ accountId, name, amount, note, actorId }) => {
    const creditId = `${accountId}:${name}`;
    const { account, outcome } = await retryForRoom(
      { clock, pollMs },
      () =>
        accounts.run<AddCreditsOutcome, CreditEntry | undefined>(accountId, {
          lookUp: () => ledger.findCredit(accountId, creditId),
          apply: (account, inLedger) =>
            rules.addCredits(
              account,
              { creditId, amount, note, actorId },
              { inLedger, now: clock.now(), policy },
            ),
        }),
      (result) => (result.outcome.kind === 'journalFull' ? waitMsMax : 0),
    );
    if (outcome.kind === 'added') {
      metrics.credits.inc();
      if (account.granted > GRANTED_WARNED) {
        logger.warn({ accountId }, 'an account has three quarters of the credit that one can have');
      }
    }
    return resultOf(accountId, outcome, journalWait);
  };
}

/** Says how much could be taken, so that the operator can ask for that. */
function notFree(available: Nano): AppError {
  const free = formatAmount(available);
  return new AppError('CONFLICT', {
    param: 'amount',
    publicMessage: `Only ${free} of the balance is neither reserved nor spent: no more than that can be taken back.`,
  });
}

/** Rejects with CONFLICT when more would be taken back than is neither reserved nor spent. */
export function createAdjustBalance(
  deps: Dependencies & { readonly recalls: RecallLeases; readonly recallWait: RecallWait },
) {
  const { accounts, ledger, rules, policy, clock, metrics } = deps;
  const { journalWait, recallWait } = deps;
  return async (request: AdjustBalanceRequest): Promise<GrantResult<AdjustmentEntry>> => {
    const { accountId, amount, reason, idempotencyKey, actorId } = request;
    const adjustmentId = `${accountId}:adjustment:${digestOf(idempotencyKey)}`;
    let isRecalled = false;
    const attempt = async () => {
      const { outcome } = await accounts.run<AdjustBalanceOutcome, AdjustmentEntry | undefined>(
        accountId,
        {
          lookUp: () => ledger.findAdjustment(accountId, adjustmentId),
          apply: (account, inLedger) =>
            rules.adjustBalance(
              account,
              { adjustmentId, amount, reason, actorId },
              { inLedger, now: clock.now(), policy },
            ),
        },
      );
      // Idle holders close their leases while we look again.
      if (outcome.kind === 'reserved' && outcome.recallable.length > 0 && !isRecalled) {
        deps.recalls.start(accountId, outcome.recallable).catch(() => {});
        isRecalled = true;
      }
      return outcome;
    };
    const waitMsMaxOf = (outcome: AdjustBalanceOutcome): number => {
      if (outcome.kind === 'journalFull') return journalWait.waitMsMax;
      return outcome.kind === 'reserved' && outcome.recallable.length > 0
        ? recallWait.waitMsMax
        : 0;
    };
    const { pollMs } = journalWait;
    const outcome = await retryForRoom({ clock, pollMs }, attempt, waitMsMaxOf);
    if (outcome.kind === 'added') metrics.adjustments.inc();
    if (outcome.kind === 'reserved') throw notFree(outcome.available);
    return resultOf(accountId, outcome, journalWait);
  };
}
