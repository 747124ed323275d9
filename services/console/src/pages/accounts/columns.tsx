import type { Account } from '../../api/schemas';
import type { Column } from '../../components/data-table';
import { Status, type Tone, toWords } from '../../components/status';
import { Moment } from '../../components/values';

export function AccountStatus(props: { readonly status: Account['status'] }) {
  const { status } = props;
  return <Status tone={TONES[status]} label={toWords(status)} />;
}

const TONES: Readonly<Record<Account['status'], Tone>> = {
  active: 'good',
  suspended: 'bad',
  erasing: 'warn',
  erased: 'idle',
};

export const accountColumns: readonly Column<Account>[] = [
  { header: 'Name', cell: ({ name }) => name },
  { header: 'Plan', cell: ({ plan }) => toWords(plan) },
  { header: 'Status', cell: ({ status }) => <AccountStatus status={status} /> },
  { header: 'Created', cell: ({ created_at }) => <Moment at={created_at} /> },
];
