import { Code } from '@mantine/core';
import type { CreditCode } from '../../api/schemas';
import { type Column, numeric } from '../../components/data-table';
import { Status, type Tone } from '../../components/status';
import { AccountName } from '../../components/thing-links';
import { Moment, Money, Name } from '../../components/values';
import { formatName } from '../../format/names';
import { NOTHING } from '../../format/quantity';

const TONES: Readonly<Record<CreditCode['status'], Tone>> = {
  unused: 'good',
  redeemed: 'idle',
  revoked: 'idle',
  expired: 'warn',
};

export function CodeStatus({ status }: { readonly status: CreditCode['status'] }) {
  return <Status tone={TONES[status]} label={formatName(status)} />;
}

export const codeColumns: readonly Column<CreditCode>[] = [
  { header: 'Code', cell: ({ preview }) => <Code>…{preview}</Code> },
  { header: 'Status', cell: ({ status }) => <CodeStatus status={status} /> },
  { header: 'Note', width: 'name', cell: ({ note }) => <Name of={note || NOTHING} /> },
  {
    header: 'Redeemed by',
    width: 'name',
    cell: ({ account_id }) => (account_id === null ? NOTHING : <AccountName id={account_id} />),
  },
  { header: 'Created', isMinor: true, cell: ({ created_at }) => <Moment at={created_at} /> },
  { header: 'Expires', cell: ({ expires_at }) => <Moment at={expires_at} never="Never" /> },
  numeric('Amount', ({ amount }) => <Money amount={amount} />),
];
