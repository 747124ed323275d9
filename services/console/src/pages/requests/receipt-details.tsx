import { Code, Stack, Text } from '@mantine/core';
import { useReceipt } from '../../api/billing';
import { useKeys } from '../../api/keys';
import type { Receipt } from '../../api/schemas';
import { CopyIcon } from '../../components/copy';
import { QueryState } from '../../components/query-state';
import { AsJson, DrawerSection, Facts } from '../../components/side-drawer';
import { Stat, Stats } from '../../components/stat';
import { toWords } from '../../components/status';
import { type Step, TimeLine } from '../../components/time-line';
import { Count, Duration, Moment, Money } from '../../components/values';
import { sayEnd, toneOfEnd } from './end-reason';

/** The story of one request, as its receipt tells it. */
export function ReceiptDetails(props: { readonly requestId: string }) {
  const receipt = useReceipt(props.requestId);
  return (
    <QueryState query={receipt} lines={8}>
      {(data) => (
        <Stack gap="lg">
          <Stats>
            <Stat label="Cost" value={<Money amount={data.settle} />} note={<Tokens of={data} />} />
            <Stat
              label="Took"
              value={<Duration ms={millisecondsBetween(data.started_at, data.ended_at)} />}
              note={data.stream ? 'Streamed' : 'Answered at once'}
            />
          </Stats>
          <DrawerSection title="What happened">
            <TimeLine steps={toSteps(data)} />
          </DrawerSection>
          <DrawerSection title="Details">
            <ReceiptFacts receipt={data} />
          </DrawerSection>
          <AsJson value={data} />
        </Stack>
      )}
    </QueryState>
  );
}

function Tokens({ of }: { readonly of: Receipt }) {
  return (
    <>
      <Count of={of.prompt_tokens} /> in, <Count of={of.completion_tokens} /> out
    </>
  );
}

function toSteps(receipt: Receipt): readonly Step[] {
  const isRouted = receipt.requested_model !== receipt.model;
  return [
    {
      title: 'Received',
      tone: 'idle',
      when: <Moment at={receipt.started_at} full />,
      text: isRouted
        ? `Asked for ${receipt.requested_model}, which led to ${receipt.model}.`
        : `Asked for ${receipt.model}.`,
    },
    {
      title: 'Reserved',
      tone: 'idle',
      text: (
        <>
          <Money amount={receipt.reserve} />, the most that it could cost.
        </>
      ),
    },
    {
      title: toWords(receipt.end_reason),
      tone: toneOfEnd(receipt.end_reason),
      when: <Moment at={receipt.ended_at} full />,
      text: (
        <>
          {sayEnd(receipt.end_reason)}
          {receipt.error_code !== null && (
            <>
              {' '}
              Answered with <Code>{receipt.error_code}</Code>.
            </>
          )}
        </>
      ),
    },
    {
      title: 'Charged',
      tone: 'good',
      when: <Moment at={receipt.settled_at} full />,
      text: (
        <>
          <Money amount={receipt.settle} />; <Money amount={receipt.release} /> was released.
        </>
      ),
    },
  ];
}

const SOURCES: Readonly<Record<string, string>> = {
  exact: 'Counted by the vendor',
  counted: 'Counted here',
  partial: 'Counted here, of what was delivered',
  none: 'Nothing was delivered',
};

function ReceiptFacts({ receipt }: { readonly receipt: Receipt }) {
  const keys = useKeys();
  const name = keys.data?.find(({ id }) => id === receipt.key_id)?.name;
  const { prices } = receipt;
  return (
    <Facts
      facts={[
        ['Request', <Identifier key="id" id={receipt.request_id} />],
        ...(receipt.client_request_id === null
          ? []
          : ([
              ["Client's own id", <Identifier key="client" id={receipt.client_request_id} />],
            ] as const)),
        ['API key', name ?? <Code key="key">{receipt.key_id}</Code>],
        ['Tokens', SOURCES[receipt.source] ?? receipt.source],
        ['Cached prompt', <Count key="cached" of={receipt.cached_tokens} />],
        [
          'Prices',
          <Text key="prices" span>
            <Money amount={prices.prompt} /> in, <Money amount={prices.completion} /> out,{' '}
            <Money amount={prices.cached_prompt} /> cached, a million tokens (version{' '}
            {receipt.price_version})
          </Text>,
        ],
        ['Ledger entry', <Count key="seq" of={receipt.seq} />],
      ]}
    />
  );
}

function Identifier({ id }: { readonly id: string }) {
  return (
    <>
      <Code>{id}</Code> <CopyIcon text={id} what="id" />
    </>
  );
}

function millisecondsBetween(start: string, end: string): number {
  return Date.parse(end) - Date.parse(start);
}
