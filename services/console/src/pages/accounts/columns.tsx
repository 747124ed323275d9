import { useInViewport } from '@mantine/hooks';
import { useListedBalance } from '../../api/accounts';
import type { Account } from '../../api/schemas';
import type { Column } from '../../components/data-table';
import { Status, type Tone } from '../../components/status';
import { Balance, Moment, Name } from '../../components/values';
import { formatName } from '../../format/names';

export function AccountStatus(props: { readonly status: Account['status'] }) {
  const { status } = props;
  return <Status tone={TONES[status]} label={formatName(status)} />;
}

const TONES: Readonly<Record<Account['status'], Tone>> = {
  active: 'good',
  suspended: 'bad',
  erasing: 'warn',
  erased: 'idle',
};

/** Asked for when its row is seen: a list has as many as there are customers. */
function SeenBalance({ accountId }: { readonly accountId: string }) {
  const { ref, inViewport } = useInViewport<HTMLSpanElement>();
  const balance = useListedBalance(accountId, inViewport);
  return (
    <span ref={ref}>
      <Balance of={balance.data?.available} />
    </span>
  );
}

export const accountColumns: readonly Column<Account>[] = [
  { header: 'Name', width: 'name', cell: ({ name }) => <Name of={name} /> },
  { header: 'Plan', cell: ({ plan }) => formatName(plan) },
  { header: 'Status', cell: ({ status }) => <AccountStatus status={status} /> },
  { header: 'Available', isNumeric: true, cell: ({ id }) => <SeenBalance accountId={id} /> },
  { header: 'Created', isMinor: true, cell: ({ created_at }) => <Moment at={created_at} /> },
];
