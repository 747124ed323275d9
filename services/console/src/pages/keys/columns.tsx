import { Code } from '@mantine/core';
import type { ApiKey } from '../../api/schemas';
import { type Column, numeric } from '../../components/data-table';
import { Status } from '../../components/status';
import { Moment, Money, Name } from '../../components/values';
import { describeKeyStatus } from './describe-key';

export function KeyStatus(props: { readonly apiKey: ApiKey }) {
  return <Status {...describeKeyStatus(props.apiKey)} />;
}

/** The beginning of a key, with the ellipsis that the console uses everywhere. */
export function KeyPreview(props: { readonly of: string }) {
  return <Code>{props.of.replace('...', '…')}</Code>;
}

export const keyColumns: readonly Column<ApiKey>[] = [
  { header: 'Name', width: 'name', cell: ({ name }) => <Name of={name} /> },
  { header: 'Key', width: 'code', cell: ({ preview }) => <KeyPreview of={preview} /> },
  { header: 'Status', cell: (key) => <KeyStatus apiKey={key} /> },
  numeric('Spend', ({ spend }) => <Money amount={spend} form="listed" />),
  numeric('Budget', ({ max_budget, budget_period }) => (
    <>
      <Money amount={max_budget} />
      {max_budget !== null && budget_period !== null && ` a ${budget_period}`}
    </>
  )),
  {
    header: 'Last used',
    cell: ({ last_used_at }) => <Moment at={last_used_at} never="Never" />,
  },
  {
    header: 'Created',
    isMinor: true,
    cell: ({ created_at }) => <Moment at={created_at} />,
  },
];
