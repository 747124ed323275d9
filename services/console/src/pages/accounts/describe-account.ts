import type { Account } from '../../api/schemas';
import type { StatusLabel } from '../../components/status';
import { formatName } from '../../format/names';
import { describeStop, type SpendableBalance, stateOfBalance } from '../billing/describe-balance';

const STATES: Readonly<Record<Account['status'], StatusLabel>> = {
  active: { tone: 'good', label: 'Active' },
  suspended: { tone: 'idle', label: 'Suspended' },
  erasing: { tone: 'warn', label: 'Erasing' },
  erased: { tone: 'idle', label: 'Erased' },
};

/** The status of an account; an active one with nothing to spend is refused all the same. */
export function describeAccount(
  { status }: Pick<Account, 'status'>,
  balance: SpendableBalance | undefined,
): StatusLabel {
  if (status !== 'active' || balance === undefined) return STATES[status];
  const state = stateOfBalance(balance);
  if (state === 'stopped') return { tone: 'warn', label: describeStop(balance) };
  if (state === 'used up') return { tone: 'warn', label: 'Balance used up' };
  return state === 'never credited' ? { tone: 'idle', label: 'No credit yet' } : STATES.active;
}

/** The name of a plan; on one that does not exist every request is refused, which is said. */
export function describePlan(
  plan: string,
  known: readonly { readonly id: string }[] | undefined,
): { readonly label: string; readonly isMissing: boolean } {
  const isMissing = known !== undefined && !known.some(({ id }) => id === plan);
  return { isMissing, label: isMissing ? `${plan}: no such plan` : formatName(plan) };
}
