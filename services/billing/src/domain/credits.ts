import { minNano, NANO_MAX, type Nano, nano, ZERO_NANO } from '@tollgate/core';
import { type Account, balanceOf, type Change, plus } from './account';
import type { AccountBounds } from './account-bounds';
import { type AccountDraft, addEntry, addNotice, draftOf, hasJournalRoom } from './draft';
import { entriesOf } from './journal';
import { findRecallable } from './lease-lifecycle';
import type { GrantEntry } from './ledger-entry';
import { notifyOfBalance, notifyOfSuspension } from './thresholds';

/**
 * Credit that an operator gives, a payment brings or a code that is redeemed; or a correction by an
 * operator, of a credit that was a mistake or of a charge that was.
 */
export interface Grant {
  /** Never granted twice. */
  readonly creditId: string;
  /** More than 0; not 0 in an adjustment, and below 0 it takes back. */
  readonly amount: Nano;
  /** Of an adjustment, its reason. */
  readonly note: string;
  /** The user or the API key that asked for it; undefined where nobody is known. */
  readonly actorId?: string | undefined;
}

/** The input that both commands have besides the account. */
export interface GrantContext {
  /**
   * The ledger's entry of the command's id, looked up after the account was read: an entry leaves
   * the journal only once it is in the ledger, so one of the two knows it.
   */
  readonly inLedger: GrantEntry | undefined;
  readonly now: number;
  readonly bounds: AccountBounds;
}

/** The answer of either command. */
export type GrantOutcome =
  | { readonly kind: 'added' | 'replayed'; readonly entry: GrantEntry }
  /** The same id was used for something else. */
  | { readonly kind: 'mismatch' }
  /** The account cannot hold so much. */
  | { readonly kind: 'tooMuch' }
  /** Try again once the journal was stored. */
  | { readonly kind: 'journalFull' };

export type AdjustBalanceOutcome =
  | GrantOutcome
  /** More than is free would be taken; the leases named could free enough when they close. */
  | { readonly kind: 'reserved'; readonly available: Nano; readonly recallable: readonly number[] };

/** What came of an earlier command of the same id; undefined when there was none. */
function earlierOutcomeOf(
  account: Account,
  { creditId, amount, note }: Grant,
  inLedger: GrantEntry | undefined,
): GrantOutcome | undefined {
  const known =
    inLedger ??
    entriesOf(account.journal).find(
      (entry): entry is GrantEntry => entry.kind !== 'charge' && entry.creditId === creditId,
    );
  if (known === undefined) return undefined;
  const isSame = known.amount === amount && known.note === note;
  return isSame ? { kind: 'replayed', entry: known } : { kind: 'mismatch' };
}

/** Whether the account can hold so much more credit. */
export function hasCreditRoom({ granted }: Account, amount: Nano): boolean {
  return granted + amount <= NANO_MAX;
}

/** Why the account cannot take one more grant of that size, or undefined when it can. */
function grantRefusalOf(
  account: Account,
  amount: Nano,
  bounds: AccountBounds,
): { readonly kind: 'tooMuch' | 'journalFull' } | undefined {
  if (!hasCreditRoom(account, amount)) return { kind: 'tooMuch' };
  if (!hasJournalRoom(account, bounds.journalMax)) return { kind: 'journalFull' };
  return undefined;
}

function grant(draft: AccountDraft, amount: Nano): void {
  draft.granted = plus(draft.granted, amount);
  draft.available = plus(draft.available, amount);
}

/** Money was added: the owner is notified again of all that it was notified of since the last one. */
function rearm(draft: AccountDraft): void {
  draft.exhaustedNotified = false;
  draft.daysNotified = [];
}

/**
 * A correction downwards lowers the last credit, and with it the low-balance threshold. When all of
 * that credit is taken back, what is left counts as the last one: its threshold lies below it.
 */
function lowerLastCredit(draft: AccountDraft, amount: Nano): void {
  const corrected = draft.lastCredit + amount;
  const balance = balanceOf(draft);
  if (corrected > ZERO_NANO) draft.lastCredit = nano(corrected);
  else if (balance > ZERO_NANO) draft.lastCredit = minNano(draft.lastCredit, balance);
}

/** Adds credit once per id. */
export function addCredits(
  account: Account,
  command: Grant,
  context: GrantContext,
): Change<GrantOutcome> {
  const { creditId, amount } = command;
  const earlier = earlierOutcomeOf(account, command, context.inLedger);
  if (earlier !== undefined) return { account, outcome: earlier };
  const refusal = grantRefusalOf(account, amount, context.bounds);
  if (refusal !== undefined) return { account, outcome: refusal };
  const { now } = context;
  const draft = draftOf(account);
  grant(draft, amount);
  draft.lastCredit = amount;
  rearm(draft);
  const entry = addEntry<GrantEntry>(draft, { kind: 'credit', atMs: now, ...command });
  const { available } = draft;
  addNotice(draft, { type: 'credits.added', creditId, amount, available }, now);
  notifyOfSuspension(draft, account, now);
  return { account: draft, outcome: { kind: 'added', entry } };
}

/**
 * Adds to or takes from what was granted, once per id. What is reserved by a lease or spent cannot
 * be taken: `available` never falls below 0.
 */
export function adjustBalance(
  account: Account,
  command: Grant,
  context: GrantContext,
): Change<AdjustBalanceOutcome> {
  const { amount } = command;
  const earlier = earlierOutcomeOf(account, command, context.inLedger);
  if (earlier !== undefined) return { account, outcome: earlier };
  const { available } = account;
  if (available + amount < 0n) {
    const recallable = findRecallable(account, available, nano(-amount), undefined);
    return { account, outcome: { kind: 'reserved', available, recallable } };
  }
  const refusal = grantRefusalOf(account, amount, context.bounds);
  if (refusal !== undefined) return { account, outcome: refusal };
  const { now } = context;
  const draft = draftOf(account);
  grant(draft, amount);
  if (amount > 0n) rearm(draft);
  else lowerLastCredit(draft, amount);
  const entry = addEntry<GrantEntry>(draft, { kind: 'adjustment', atMs: now, ...command });
  // What adds to the balance crosses no threshold downwards.
  if (amount > 0n) notifyOfSuspension(draft, account, now);
  else notifyOfBalance(draft, account, now, context.bounds);
  return { account: draft, outcome: { kind: 'added', entry } };
}
