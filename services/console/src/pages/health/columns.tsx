import { Code } from '@mantine/core';
import type { Audit } from '../../api/schemas';
import { type Column, numeric } from '../../components/data-table';
import { Status } from '../../components/status';
import { AccountName, ChannelName } from '../../components/thing-links';
import { Count, Name, Sentence } from '../../components/values';
import { formatFailedShare, NOTHING } from '../../format/quantity';
import { describeSuccess } from '../channels/channel-health';
import { AnswerTime, ChannelHealthStatus } from '../channels/columns';
import { type ChannelFailures, describeRefused, errorRate, type HurtAccount } from './gather';

/** More failures than this are marked. */
export const BAD_SHARE = 0.1;

/** How each channel is now, and what became of its requests in the range. */
export const channelHealthColumns = (range: string): readonly Column<ChannelFailures>[] => [
  {
    header: 'Channel',
    width: 'name',
    cell: ({ id }) => <ChannelName id={id} />,
  },
  {
    header: 'Now',
    width: 'sentence',
    cell: ({ channel }) =>
      channel === undefined ? NOTHING : <ChannelHealthStatus channel={channel} />,
    isLong: true,
  },
  // The share of the list of channels: also of checks, and of requests that ended elsewhere.
  numeric('Calls and checks lately', ({ channel }) =>
    channel === undefined ? NOTHING : describeSuccess(channel.health),
  ),
  // A request that went on to another channel counts there, though a call of it failed here.
  numeric(`Ended here, ${range}`, ({ requests }) => <Count of={requests} />),
  numeric('Requests lost', (row) => {
    if (row.requests === undefined || row.requests === 0) return NOTHING;
    const share = formatFailedShare(errorRate(row));
    // A failure of now is red; one in the range is no second alarm.
    return errorRate(row) > BAD_SHARE ? <Status tone="warn" label={share} /> : share;
  }),
  numeric('Answers after', ({ channel }) =>
    channel === undefined ? NOTHING : <AnswerTime channel={channel} />,
  ),
];

export const findingColumns: readonly Column<Audit['findings'][number]>[] = [
  { header: 'Account', cell: ({ account_id }) => <Code>{account_id}</Code> },
  { header: 'Rule', cell: ({ rule }) => rule },
  { header: 'What differs', cell: ({ detail }) => detail, isLong: true },
];

export const hurtColumns: readonly Column<HurtAccount>[] = [
  {
    header: 'Account',
    width: 'name',
    cell: ({ accountId, name }) =>
      accountId === undefined ? <Name of={name} /> : <AccountName id={accountId} />,
  },
  {
    header: 'Refused in 24 hours',
    width: 'sentence',
    cell: (row) => <Sentence of={describeRefused(row) || NOTHING} />,
    isLong: true,
  },
  numeric('Refused by a limit', ({ counted }) => <Count of={counted?.limited} />),
  numeric('Failed', ({ counted }) => <Count of={counted?.failed} />),
  numeric('Requests', ({ counted }) => <Count of={counted?.requests} />),
];
