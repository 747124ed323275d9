import type { Nano } from '@tollgate/core';
import type { Account, Change } from './account';
import { plus } from './amounts';
import { draftOf, hasJournalRoom, postEntry, postNotice } from './draft';
import type { CreditEntry } from './ledger-entry';
import type { AccountPolicy } from './policy';

/** Credit that an operator gives. */
export interface AddCredits {
  /** Never credited twice. */
  readonly creditId: string;
  /** More than 0. */
  readonly amount: Nano;
  readonly note: string;
}

export type AddCreditsOutcome =
  | { readonly kind: 'added' | 'replayed'; readonly entry: CreditEntry }
  /** The same id was used for another amount or note. */
  | { readonly kind: 'mismatch' }
  /** The account cannot hold so much. */
  | { readonly kind: 'tooMuch' }
  /** Try again after the relay has run. */
  | { readonly kind: 'journalFull' };

const AMOUNT_MAX = 2n ** 63n - 1n;

function creditInJournal(account: Account, creditId: string): CreditEntry | undefined {
  for (const item of account.journal) {
    if (item.kind !== 'entry' || item.entry.kind !== 'credit') continue;
    if (item.entry.creditId === creditId) return item.entry;
  }
  return undefined;
}

/**
 * Adds credit once per id. `relayed` is the ledger's entry of that id, looked up after the account
 * was read: an entry leaves the journal only once it is in the ledger, so one of the two knows it.
 */
export function addCredits(
  account: Account,
  command: AddCredits,
  context: {
    readonly relayed: CreditEntry | undefined;
    readonly now: number;
    readonly policy: AccountPolicy;
  },
): Change<AddCreditsOutcome> {
  const { creditId, amount, note } = command;
  const known = context.relayed ?? creditInJournal(account, creditId);
  if (known !== undefined) {
    const same = known.amount === amount && known.note === note;
    return { account, outcome: same ? { kind: 'replayed', entry: known } : { kind: 'mismatch' } };
  }
  if (account.granted + amount > AMOUNT_MAX) return { account, outcome: { kind: 'tooMuch' } };
  if (!hasJournalRoom(account, context.policy.journalMax)) {
    return { account, outcome: { kind: 'journalFull' } };
  }
  const { now: at } = context;
  const draft = draftOf(account);
  draft.granted = plus(draft.granted, amount);
  draft.available = plus(draft.available, amount);
  draft.lastCredit = amount;
  draft.exhaustedNotified = false;
  const entry = postEntry<CreditEntry>(draft, { kind: 'credit', amount, at, creditId, note });
  const { available } = draft;
  postNotice(draft, { type: 'credits.added', creditId, amount, available }, at);
  return { account: draft, outcome: { kind: 'added', entry } };
}
