import { RESTORE_MARKS } from '@tollgate/mongo';

/**
 * Left out of a backup, and emptied by a restore: what belongs to a moment that is over. An outbox
 * names entries, a quarantine failures, leases processes, and statements are made anew.
 */
export const LEFT_OUT: readonly string[] = [
  'billing_audit_marks',
  'billing_audits',
  'billing_outbox',
  'billing_quarantine',
  'billing_statements',
  'job_leases',
];

export const ACCOUNTS = 'billing_accounts';
export const LEDGER = 'billing_ledger';
export const LEDGER_CUT = 'billing_ledger_cut';
export const CURSORS = 'usage_cursors';
export const FIGURES = 'usage_figures';

/**
 * The collections of a backup in the order in which they are copied. Where the product runs, what
 * is copied later is newer. So the ledger comes last: entries that are too many can be cut off,
 * missing ones cannot be made. Statistics come before the accounts, so that they hold no entry that
 * is cut off, and of them cursors before figures, which refuse what they already hold. People and
 * keys come before identity's accounts, so that the account of each is in the copy.
 */
export function inOrderOfCopy(names: readonly string[]): readonly string[] {
  const wanted = names.filter((name) => !LEFT_OUT.includes(name) && name !== RESTORE_MARKS);
  const first = [CURSORS, FIGURES, ACCOUNTS, 'identity_users', 'identity_api_keys'];
  return sortedBy(wanted, first, [LEDGER]);
}

/**
 * The ledger before the accounts, as docs/runbooks/restoring-the-database.md has it: a restore that
 * stops between them leaves no account that counts entries which are not there.
 */
export function inOrderOfRestore(names: readonly string[]): readonly string[] {
  return sortedBy(names, [LEDGER, ACCOUNTS], []);
}

function sortedBy(
  names: readonly string[],
  first: readonly string[],
  last: readonly string[],
): readonly string[] {
  const has = (name: string) => names.includes(name);
  const middle = names.filter((name) => !first.includes(name) && !last.includes(name));
  return [...first.filter(has), ...middle.sort(), ...last.filter(has)];
}
