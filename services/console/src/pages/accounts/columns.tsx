import { useInViewport } from '@mantine/hooks';
import { useListedBalance } from '../../api/accounts';
import { usePlans } from '../../api/billing';
import type { Account } from '../../api/schemas';
import { type Column, numeric } from '../../components/data-table';
import { Status } from '../../components/status';
import { Balance, Moment, Name } from '../../components/values';
import { describeAccount, describePlan } from './describe-account';

/** Whether requests of the account are answered, which its balance decides too. */
export function AccountStatus({ account }: { readonly account: Account }) {
  const { ref, balance } = useSeenBalance(account.id);
  return (
    <span ref={ref}>
      <Status {...describeAccount(account, balance)} />
    </span>
  );
}

/** A balance is asked for when its row is seen: a list has as many as there are customers. */
function useSeenBalance(accountId: string) {
  const { ref, inViewport } = useInViewport<HTMLSpanElement>();
  return { ref, balance: useListedBalance(accountId, inViewport).data };
}

function SeenBalance({ accountId }: { readonly accountId: string }) {
  const { ref, balance } = useSeenBalance(accountId);
  return <span ref={ref}>{balance === undefined ? '…' : <Balance of={balance.available} />}</span>;
}

export function PlanName({ plan }: Pick<Account, 'plan'>) {
  const { isMissing, label } = describePlan(plan, usePlans().data?.items);
  return isMissing ? <Status tone="bad" label={label} /> : label;
}

export const accountColumns: readonly Column<Account>[] = [
  { header: 'Name', width: 'name', cell: ({ name }) => <Name of={name} /> },
  { header: 'Plan', cell: ({ plan }) => <PlanName plan={plan} /> },
  { header: 'Status', cell: (account) => <AccountStatus account={account} /> },
  numeric('Available', ({ id }) => <SeenBalance accountId={id} />),
  { header: 'Created', isMinor: true, cell: ({ created_at }) => <Moment at={created_at} /> },
];
