import { Alert, Code, Group, Stack, Text } from '@mantine/core';
import { isToCome, type NoStory, type RequestsOf, useStory } from '../../api/requests';
import type { Story } from '../../api/schemas';
import { CodeBlock, Identifier } from '../../components/copy';
import { AsJson, type Fact, Facts, fact } from '../../components/facts';
import { DrawerSection } from '../../components/overlay';
import { QueryState } from '../../components/query-state';
import { Stat, Stats } from '../../components/stat';
import { AccountLink, ChannelLink, KeyLink } from '../../components/thing-links';
import { TimeLine } from '../../components/time-line';
import { Count, Duration, ModelName, Money, UnitPrice } from '../../components/values';
import { AsOfNow, StoryDeliveries } from './as-of-now';
import { EndStatus } from './columns';
import {
  describeIgnored,
  describeLimitsLeft,
  describeNoToken,
  isNothing,
} from './describe-request';
import { Refusal } from './refusal';
import { toSteps } from './story-steps';

/** The way of one request, from its arrival to its charge or to its refusal. */
export function RequestStory(props: { readonly scope: RequestsOf; readonly id: string }) {
  const story = useStory(props.scope, props.id);
  return (
    <QueryState query={story} lines={8}>
      {(data) =>
        data.status === 'unknown' ? (
          <NotTold {...props} story={data} />
        ) : (
          <Stack gap="lg">
            {data.status === 'refused' ? <Refusal story={data} /> : <Finished story={data} />}
            {/* Nobody was told of a request whose account is not known. */}
            {data.deliveries !== undefined && data.account_id !== null && (
              <StoryDeliveries
                deliveries={data.deliveries}
                at={data.status === 'refused' ? data.at : data.started_at}
              />
            )}
            {data.now && <AsOfNow now={data.now} />}
            <AsJson value={data} />
          </Stack>
        )
      }
    </QueryState>
  );
}

function Finished({ story }: { readonly story: Story }) {
  const { charge, first_token_ms, latency_ms, tokens } = story;
  return (
    <>
      <Group gap="sm">
        <EndStatus {...story} />
        <ModelName of={story.model} />
      </Group>
      <Stats>
        <Stat
          label="Cost"
          value={<Money amount={isNothing(toOutcome(story)) ? null : charge} />}
          note={
            tokens.source === 'none' ? (
              'No tokens counted'
            ) : (
              <>
                <Count of={tokens.prompt} /> tokens in, <Count of={tokens.completion} /> out
              </>
            )
          }
        />
        <Stat
          label="Took"
          value={<Duration ms={latency_ms} />}
          note={
            first_token_ms === null ? (
              describeNoToken(story)
            ) : (
              <>
                First token after <Duration ms={first_token_ms} />
              </>
            )
          }
        />
      </Stats>
      <DrawerSection title="What happened">
        <TimeLine steps={toSteps(story)} />
      </DrawerSection>
      <DrawerSection title="Details">
        <StoryFacts story={story} />
      </DrawerSection>
    </>
  );
}

/** The fields of a listed request, by which zeros are known to be no amounts. */
function toOutcome({ status, tokens }: Story) {
  return { status, prompt_tokens: tokens.prompt, completion_tokens: tokens.completion };
}

/** Shows the id that the reader looked for, and why the API tells nothing of it. */
function NotTold(props: {
  readonly scope: RequestsOf;
  readonly id: string;
  readonly story: NoStory;
}) {
  const { scope, id, story } = props;
  if (isToCome(story)) {
    return (
      <Alert variant="outline" color="gray" title="There is no story yet">
        <Stack gap="xs">
          <Code>{id}</Code>
          <Text>{story.message}</Text>
          <Text c="dimmed" size="sm">
            This page asks again by itself.
          </Text>
        </Stack>
      </Alert>
    );
  }
  return (
    <Alert variant="outline" color="gray" role="status" title="No request of this id is kept">
      <Stack gap="xs">
        <Code>{id}</Code>
        <Text>{story.message}</Text>
        {scope === 'all' ? (
          <CodeBlock text={`grep ${id}`} what="command" />
        ) : (
          <Text>
            Look whether the id is whole: it begins with req_. Refused requests are kept for a day,
            and not all of them; the answer itself said why, and whoever runs this service finds it
            by the id.
          </Text>
        )}
      </Stack>
    </Alert>
  );
}

const SOURCES: Readonly<Record<string, string>> = {
  exact: 'The vendor',
  counted: 'This service',
  partial: 'This service, as far as delivered',
  none: 'Nobody: nothing was delivered',
};

function StoryFacts({ story }: { readonly story: Story }) {
  const { prices, tokens, ledger } = story;
  const { account_id: accountId, channel_id: channelId, lease } = story;
  return (
    <Facts
      facts={[
        ['Request', <Identifier key="id" id={story.id} />],
        ...identified("Client's own id", story.client_request_id),
        ['API key', <KeyLink key="key" id={story.key_id} known={story.now?.key?.name} />],
        ...fact('Account', accountId && <AccountLink id={accountId} />),
        ...fact('Channel', channelId && <ChannelLink id={channelId} />),
        ...fact('Lease', lease && <Code>{`${lease.holder}, lease ${lease.number}`}</Code>),
        ['To be answered', story.stream ? 'Streamed' : 'As a whole'],
        ['Vendor calls', <Count key="calls" of={story.attempts} />],
        ['Counted by', SOURCES[tokens.source] ?? tokens.source],
        ...fact('Limits left', describeLimitsLeft(story.limits_left)),
        ...fact('Ignored', describeIgnored(story.ignored_members)),
        ['Cached prompt', <Count key="cached" of={tokens.cached} />],
        [
          'Prices',
          <span key="prices">
            <UnitPrice of={prices.prompt} /> in, <UnitPrice of={prices.completion} /> out,{' '}
            <UnitPrice of={prices.cached_prompt} /> cached, for a million tokens
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
