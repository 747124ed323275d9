import { createHash } from 'node:crypto';
import { AppError, creditIdOf, formatAmount, NANO_MAX, type Nano, nano } from '@tollgate/core';
import {
  type AdjustBalanceOutcome,
  type Grant,
  type GrantOutcome,
  hasCreditRoom,
} from '../domain/credits';
import type { GrantEntry } from '../domain/ledger-entry';
import type { LedgerStore } from '../domain/ports';
import type { AccountParts } from './dependencies';
import { createJournalFull, type JournalWait, retryForRoom } from './journal-room';
import type { RecallLeases, RecallWait } from './recall-leases';

/** What an operator gives or corrects, once per account and idempotency key. */
export interface GrantRequest extends Omit<Grant, 'creditId'> {
  readonly accountId: string;
  readonly idempotencyKey: string;
}

/** Credit under a name of its own; the account has at most one of that name. */
export interface CreditGrant extends Omit<Grant, 'creditId'> {
  readonly accountId: string;
  readonly name: string;
}

export type GrantCredit = (grant: CreditGrant) => Promise<GrantResult>;

/** The entry, new or from the first time. */
export interface GrantResult {
  readonly entry: GrantEntry;
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
function resultOf(accountId: string, outcome: GrantOutcome, { pollMs }: JournalWait): GrantResult {
  if ('entry' in outcome) return { entry: outcome.entry, replayed: outcome.kind === 'replayed' };
  if (outcome.kind === 'mismatch') throw new AppError('IDEMPOTENCY_MISMATCH');
  if (outcome.kind === 'journalFull') throw createJournalFull(accountId, pollMs);
  throw createTooMuchCredit();
}

function createTooMuchCredit(): AppError {
  const most = formatAmount(nano(NANO_MAX));
  const publicMessage = `The account cannot hold so much credit: at most ${most} in all, spent or not.`;
  return new AppError('VALIDATION_ERROR', { param: 'amount', publicMessage });
}

/** Rejects with VALIDATION_ERROR when the account cannot hold so much more credit. */
export type RequireCreditRoom = (accountId: string, amount: Nano) => Promise<void>;

export function createRequireCreditRoom({ store }: Pick<AccountParts, 'store'>): RequireCreditRoom {
  return async (accountId, amount) => {
    const account = await store.find(accountId);
    if (account !== undefined && !hasCreditRoom(account, amount)) throw createTooMuchCredit();
  };
}

export function createAddCredits(grantCredit: GrantCredit) {
  return ({ idempotencyKey, ...credit }: GrantRequest) =>
    grantCredit({ ...credit, name: digestOf(idempotencyKey) });
}

/** Of what an account can be credited in its life; from then on each credit is a warning. */
const GRANTED_WARNED = (NANO_MAX / 4n) * 3n;

/** The one function that gives credit, for every command that does. */
export function createGrantCredit(deps: Dependencies): GrantCredit {
  const { accounts, ledger, rules, bounds, clock, metrics, journalWait, logger } = deps;
  const { waitMsMax, pollMs } = journalWait;
  return async ({ accountId, name, ...credit }) => {
    const creditId = creditIdOf(accountId, name);
    const { account, outcome } = await retryForRoom(
      { clock, pollMs },
      () =>
        accounts.run<GrantOutcome, GrantEntry | undefined>(accountId, {
          lookUp: () => ledger.findGrant(accountId, creditId),
          apply: (account, inLedger) =>
            rules.addCredits(
              account,
              { ...credit, creditId },
              { inLedger, now: clock.now(), bounds },
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
  const { accounts, ledger, rules, bounds, clock, metrics } = deps;
  const { journalWait, recallWait } = deps;
  return async (request: GrantRequest): Promise<GrantResult> => {
    const { accountId, idempotencyKey, ...adjustment } = request;
    const creditId = `${accountId}:adjustment:${digestOf(idempotencyKey)}`;
    let isRecalled = false;
    const attempt = async () => {
      const { outcome } = await accounts.run<AdjustBalanceOutcome, GrantEntry | undefined>(
        accountId,
        {
          lookUp: () => ledger.findGrant(accountId, creditId),
          apply(account, inLedger) {
            const context = { inLedger, now: clock.now(), bounds };
            return rules.adjustBalance(account, { ...adjustment, creditId }, context);
          },
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
