import type { Account, Change } from './account';
import { noteBudget, rollBudget } from './budgets';
import { draftOf, hasJournalRoom, postNotice } from './draft';
import type { AccountPolicy } from './policy';

/** A refusal of which the owner should hear once. */
export type Denial =
  | { readonly kind: 'insufficient' }
  | { readonly kind: 'budgetExceeded'; readonly keyId: string };

/** Tells the owner that a request had to be refused: once until the next credit, or per period. */
export function noteDenial(
  account: Account,
  denial: Denial,
  now: number,
  policy: AccountPolicy,
): Change<undefined> {
  const unchanged = { account, outcome: undefined };
  if (!hasJournalRoom(account, policy.journalMax)) return unchanged;
  const draft = draftOf(account);
  if (denial.kind === 'budgetExceeded') {
    const budget = draft.budgets.get(denial.keyId);
    if (budget === undefined) return unchanged;
    draft.budgets.set(denial.keyId, rollBudget(budget, now));
    noteBudget(draft, denial.keyId, now);
    return draft.noticeSeq === account.noticeSeq
      ? unchanged
      : { account: draft, outcome: undefined };
  }
  if (account.exhaustedNotified) return unchanged;
  draft.exhaustedNotified = true;
  postNotice(draft, { type: 'balance.exhausted', available: draft.available }, now);
  return { account: draft, outcome: undefined };
}
