import type { Request } from '../../api/schemas';
import { type Column, numeric } from '../../components/data-table';
import { Status } from '../../components/status';
import { AccountName, ChannelName } from '../../components/thing-links';
import { Count, Duration, ModelName, Moment, Money } from '../../components/values';
import { NOTHING } from '../../format/quantity';
import { isNothing, nameEnd, toneOfEnd } from './describe-request';

const when: Column<Request> = {
  header: 'When',
  atHead: 'right',
  cell: ({ started_at }) => <Moment at={started_at} />,
};
const model: Column<Request> = {
  header: 'Model',
  width: 'name',
  atHead: 'left',
  cell: (request) => <ModelName of={request.model} />,
};
/** How a request ended, and by which error where there was one. */
export function EndStatus({ end_reason, error_code }: Pick<Request, 'end_reason' | 'error_code'>) {
  return <Status tone={toneOfEnd(end_reason)} label={nameEnd(end_reason, error_code)} />;
}

const ended: Column<Request> = {
  header: 'Ended',
  atHead: 'left',
  cell: (request) => <EndStatus {...request} />,
};
const took: Column<Request> = numeric('Took', ({ latency_ms }) => <Duration ms={latency_ms} />);
const cost: Column<Request> = numeric(
  'Cost',
  (request) => <Money amount={isNothing(request) ? null : request.charge} form="listed" />,
  { atHead: 'right' },
);

/** The newest requests where there is little room. */
export const recentColumns: readonly Column<Request>[] = [when, model, ended, cost];

/** A request in a list of the account. */
export const requestColumns: readonly Column<Request>[] = [
  when,
  model,
  ended,
  numeric(
    'Tokens in',
    (request) => <Count of={isNothing(request) ? null : request.prompt_tokens} />,
    { isMinor: true },
  ),
  numeric(
    'Tokens out',
    (request) => <Count of={isNothing(request) ? null : request.completion_tokens} />,
    { isMinor: true },
  ),
  took,
  cost,
];

/** A request in the operator's list: whose it was and who served it. */
export const anyRequestColumns: readonly Column<Request>[] = [
  when,
  {
    header: 'Account',
    width: 'name',
    cell: ({ account_id }) =>
      account_id === undefined ? NOTHING : <AccountName id={account_id} />,
  },
  model,
  {
    header: 'Channel',
    width: 'name',
    cell: ({ channel_id }) => (channel_id ? <ChannelName id={channel_id} /> : NOTHING),
  },
  ended,
  took,
  cost,
];
