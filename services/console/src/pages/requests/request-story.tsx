import { Code, Stack } from '@mantine/core';
import { useKeys } from '../../api/keys';
import { type RequestScope, useStory } from '../../api/requests';
import type { Story } from '../../api/schemas';
import { CopyIcon } from '../../components/copy';
import { QueryState } from '../../components/query-state';
import { AsJson, DrawerSection, Facts } from '../../components/side-drawer';
import { Stat, Stats } from '../../components/stat';
import { TimeLine } from '../../components/time-line';
import { Count, Duration, Money } from '../../components/values';
import { formatNumberOf } from '../../format/quantity';
import { toSteps } from './story-steps';

/** The way of one request, from its arrival to its charge. */
export function RequestStory(props: { readonly scope: RequestScope; readonly id: string }) {
  const story = useStory(props.scope, props.id);
  return (
    <QueryState query={story} lines={8}>
      {(data) => (
        <Stack gap="lg">
          <Stats>
            <Stat
              label="Cost"
              value={<Money amount={data.charge} />}
              note={
                <>
                  <Count of={data.tokens.prompt} /> tokens in, <Count of={data.tokens.completion} />{' '}
                  out
                </>
              }
            />
            <Stat
              label="Took"
              value={<Duration ms={data.latency_ms} />}
              note={
                data.first_token_ms === null ? (
                  'No stream of tokens'
                ) : (
                  <>
                    First token after <Duration ms={data.first_token_ms} />
                  </>
                )
              }
            />
          </Stats>
          <DrawerSection title="What happened">
            <TimeLine steps={toSteps(data)} />
          </DrawerSection>
          <DrawerSection title="Details">
            <StoryFacts story={data} />
          </DrawerSection>
          <AsJson value={data} />
        </Stack>
      )}
    </QueryState>
  );
}

const SOURCES: Readonly<Record<string, string>> = {
  exact: 'the vendor',
  counted: 'this service',
  partial: 'this service, as far as delivered',
  none: 'nobody: nothing was delivered',
};

function StoryFacts({ story }: { readonly story: Story }) {
  const { prices, tokens, ledger } = story;
  const keys = useKeys();
  const keyName = keys.data?.find(({ id }) => id === story.key_id)?.name;
  const operator = [
    ['Account', story.account_id],
    ['Channel', story.channel_id],
    ['Lease', story.lease && `${story.lease.holder}, lease ${story.lease.number}`],
  ] as const;
  return (
    <Facts
      facts={[
        ['Request', <Identifier key="id" id={story.id} />],
        ...identified("Client's own id", story.client_request_id),
        ['API key', keyName ?? <Identifier key="key" id={story.key_id} />],
        ...operator.flatMap(([name, value]) => identified(name, value)),
        ['Answer', story.stream ? 'Streamed' : 'At once'],
        ['Vendor calls', formatNumberOf(story.attempts, 'attempt')],
        ['Counted by', SOURCES[tokens.source] ?? tokens.source],
        ['Cached prompt', <Count key="cached" of={tokens.cached} />],
        [
          'Prices',
          <span key="prices">
            <Money amount={prices.prompt} /> in, <Money amount={prices.completion} /> out,{' '}
            <Money amount={prices.cached_prompt} /> cached, for a million tokens
          </span>,
        ],
        ['Price version', <Count key="version" of={prices.version} />],
        ['Ledger entry', <Count key="seq" of={ledger.seq} />],
      ]}
    />
  );
}

function identified(name: string, id: string | null | undefined) {
  if (id === null || id === undefined) return [];
  return [[name, <Identifier key={name} id={id} />]] as const;
}

function Identifier({ id }: { readonly id: string }) {
  return (
    <>
      <Code>{id}</Code> <CopyIcon text={id} what="id" />
    </>
  );
}
