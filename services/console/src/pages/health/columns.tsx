import { Code } from '@mantine/core';
import type { Audit } from '../../api/schemas';
import type { Column } from '../../components/data-table';
import { Status } from '../../components/status';
import { Count, Duration } from '../../components/values';
import { formatShare, NOTHING } from '../../format/quantity';
import { ChannelHealthStatus } from '../channels/columns';
import { type ChannelHealth, errorRate, type Refusal } from './gather';

/** More failures than this are marked. */
export const BAD_SHARE = 0.1;

export const channelHealthColumns: readonly Column<ChannelHealth>[] = [
  { header: 'Channel', cell: ({ id, channel }) => channel?.name ?? <Code>{id}</Code> },
  {
    header: 'Health',
    cell: ({ channel }) =>
      channel === undefined ? NOTHING : <ChannelHealthStatus channel={channel} />,
    isLong: true,
  },
  // One that went on to another channel counts there, though a call of it failed here.
  {
    header: 'Requests ended here',
    isNumeric: true,
    cell: ({ requests }) => <Count of={requests} />,
  },
  {
    header: 'Of them failed',
    isNumeric: true,
    cell: (row) => {
      const rate = errorRate(row);
      if (row.requests === 0) return NOTHING;
      return rate > BAD_SHARE ? <Status tone="bad" label={formatShare(rate)} /> : formatShare(rate);
    },
  },
  {
    header: 'First token',
    isNumeric: true,
    cell: ({ channel }) => <Duration ms={channel?.health.first_token_ms} />,
  },
];

export const findingColumns: readonly Column<Audit['findings'][number]>[] = [
  { header: 'Account', cell: ({ account_id }) => <Code>{account_id}</Code> },
  { header: 'Rule', cell: ({ rule }) => rule },
  { header: 'What differs', cell: ({ detail }) => detail, isLong: true },
];

export const refusalColumns: readonly Column<Refusal>[] = [
  { header: 'Account', cell: ({ name }) => name },
  { header: 'Refused by a limit', isNumeric: true, cell: ({ limited }) => <Count of={limited} /> },
  { header: 'Failed', isNumeric: true, cell: ({ failed }) => <Count of={failed} /> },
  { header: 'Requests', isNumeric: true, cell: ({ requests }) => <Count of={requests} /> },
];
