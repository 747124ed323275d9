import { Alert, Anchor, Code, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useAccount } from '../../api/accounts';
import { ApiError } from '../../api/api-error';
import { useChannels } from '../../api/channels';
import { useKeys } from '../../api/keys';
import { type RequestScope, useStory } from '../../api/requests';
import type { Story } from '../../api/schemas';
import { CodeBlock, Identifier } from '../../components/copy';
import { QueryState } from '../../components/query-state';
import { AsJson, DrawerSection, type Fact, Facts } from '../../components/side-drawer';
import { Stat, Stats } from '../../components/stat';
import { TimeLine } from '../../components/time-line';
import { Count, Duration, Money } from '../../components/values';
import { formatNumberOf } from '../../format/quantity';
import { toSteps } from './story-steps';

/** The way of one request, from its arrival to its charge. */
export function RequestStory(props: { readonly scope: RequestScope; readonly id: string }) {
  const story = useStory(props.scope, props.id);
  if (story.error instanceof ApiError && story.error.status === 404) return <NotKept {...props} />;
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

/** Only what a vendor was asked for is kept; the id is the reader's, not that of this question. */
function NotKept(props: { readonly scope: RequestScope; readonly id: string }) {
  return (
    <Alert variant="outline" color="gray" role="status" title="No request of this id is kept">
      <Stack gap="xs">
        <Code>{props.id}</Code>
        <Text>
          One that was refused before a vendor was asked, for a limit, the balance, a mistake in it
          or for want of a channel, has no story: its answer said why.
        </Text>
        {props.scope === 'all' && (
          <>
            <Text>The log of the gateway has it:</Text>
            <CodeBlock text={`grep ${props.id}`} what="command" />
          </>
        )}
      </Stack>
    </Alert>
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
  const { account_id: accountId, channel_id: channelId, lease } = story;
  return (
    <Facts
      facts={[
        ['Request', <Identifier key="id" id={story.id} />],
        ...identified("Client's own id", story.client_request_id),
        ['API key', keyName ?? <Identifier key="key" id={story.key_id} />],
        ...fact('Account', accountId && <AccountLink id={accountId} />),
        ...fact('Channel', channelId && <ChannelLink id={channelId} />),
        ...fact('Lease', lease && <Code>{`${lease.holder}, lease ${lease.number}`}</Code>),
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

function identified(name: string, id: string | null | undefined): readonly Fact[] {
  return fact(name, id && <Identifier id={id} />);
}

/** Nothing where there is nothing to say. */
function fact(name: string, value: ReactNode): readonly Fact[] {
  return value === null || value === undefined || value === '' ? [] : [[name, value]];
}

function AccountLink({ id }: { readonly id: string }) {
  const { data } = useAccount(id);
  return (
    <Anchor component={Link} href={`/operator/accounts?open=${id}`} inherit>
      {data?.name ?? id}
    </Anchor>
  );
}

/** A channel that was deleted since has no name any more. */
function ChannelLink({ id }: { readonly id: string }) {
  const channels = useChannels();
  const channel = channels.data?.find((one) => one.id === id);
  if (channel === undefined) return <Identifier id={id} />;
  return (
    <Anchor component={Link} href={`/operator/channels?open=${id}`} inherit>
      {channel.name}
    </Anchor>
  );
}
