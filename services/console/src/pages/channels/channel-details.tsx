import { Alert, Anchor, Button, Code, Group, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import {
  useChannel,
  useChannels,
  useCheckChannel,
  useDeleteChannel,
  useUpdateChannel,
} from '../../api/channels';
import type { Channel, HealthCheck } from '../../api/schemas';
import { useUsage } from '../../api/stats';
import { queryOf } from '../../charts/range';
import { toLatency, toOutcomes } from '../../charts/series';
import { TimeChart } from '../../charts/time-chart';
import { COUNTS, DURATIONS } from '../../charts/units';
import { DangerButton, EnableOrDisable } from '../../components/danger';
import { DataTable } from '../../components/data-table';
import { EditForm, useEditForm } from '../../components/edit-form';
import { AsJson, Facts } from '../../components/facts';
import { Failure } from '../../components/failure';
import { More } from '../../components/form';
import { DrawerSection } from '../../components/overlay';
import { QueryState } from '../../components/query-state';
import { Count, Duration, ModelName, Moment } from '../../components/values';
import { formatCount, formatNumberOf } from '../../format/quantity';
import { CHANNEL_RULES, checkCredential, toChannelChanges, toChannelDraft } from './channel-draft';
import { ChannelFields } from './channel-fields';
import { modelsOfItAlone } from './channel-health';
import { AnswerTime, ChannelHealthStatus, healthColumns, nameVendor } from './columns';

/** One channel: whether it answers, what it serves, and what can be done with it. */
export function ChannelDetails(props: { readonly id: string; readonly onGone: () => void }) {
  const channel = useChannel(props.id);
  const pace = useChannels().data?.find(({ id }) => id === props.id)?.pace;
  return (
    <QueryState query={channel}>
      {(data) => (
        <Stack gap="lg">
          {/* The check of an address that was changed since says nothing any more. */}
          <Actions key={data.base_url} channel={data} onGone={props.onGone} />
          <Pace pace={pace} />
          <Summary channel={pace === undefined ? data : { ...data, pace }} />
          {data.health.models.length > 0 && (
            <DrawerSection title="Health by model">
              <DataTable
                label="Health by model"
                rows={data.health.models}
                columns={healthColumns}
                keyOf={({ model }) => model}
              />
            </DrawerSection>
          )}
          <ChannelFigures channelId={data.id} />
          <DrawerSection title="Settings">
            <More label="Change settings">
              <EditChannel channel={data} />
            </More>
          </DrawerSection>
          <AsJson value={data} />
        </Stack>
      )}
    </QueryState>
  );
}

function Actions(props: { readonly channel: Channel; readonly onGone: () => void }) {
  const { channel } = props;
  const check = useCheckChannel(channel.id);
  const update = useUpdateChannel(channel.id);
  const remove = useDeleteChannel(channel.id);
  const isEnabled = channel.status === 'enabled';
  // The dialog tells of its own failure.
  const error = check.error ?? (isEnabled ? null : update.error);
  return (
    <>
      <Group gap="xs">
        <Button loading={check.isPending} onClick={() => check.mutate(undefined)}>
          Check health
        </Button>
        <EnableOrDisable
          isEnabled={isEnabled}
          on="enabled"
          kind="channel"
          title={`Disable the channel “${channel.name}”`}
          update={update}
        >
          It is asked nothing until it is enabled again. <WhatItServes channel={channel} />
        </EnableOrDisable>
        <DangerButton
          label="Delete"
          isFinal
          title={`Delete the channel “${channel.name}”`}
          verb="Delete channel"
          typed={channel.name}
          change={remove}
          onConfirm={() => remove.mutate(undefined, { onSuccess: props.onGone })}
        >
          Its credential is gone with it. <WhatItServes channel={channel} />
        </DangerButton>
        <Button
          component={Link}
          href={`/operator/requests?channel=${channel.id}`}
          variant="default"
        >
          Requests
        </Button>
      </Group>
      {error !== null && <Failure error={error} />}
      {check.data !== undefined && <CheckResult result={check.data} />}
    </>
  );
}

function CheckResult({ result }: { readonly result: HealthCheck }) {
  if (!result.healthy) {
    return (
      <Failure error={new Error(`${result.model} did not answer: ${result.error ?? 'unknown'}`)} />
    );
  }
  return (
    <Alert variant="outline" role="status">
      <Text>
        <ModelName of={result.model} /> answered in <Duration ms={result.latency_ms} />
        {result.first_token_ms !== null && (
          <>
            , the first token after <Duration ms={result.first_token_ms} />
          </>
        )}
        .
      </Text>
    </Alert>
  );
}

/** Requests that go by way of the channel, and models that nobody serves without it. */
function WhatItServes({ channel }: { readonly channel: Channel }) {
  const day = useDayByChannel();
  const { data: channels, hasNextPage } = useChannels();
  const requests = (day.data?.results ?? [])
    .filter(({ group }) => group.channel === channel.id)
    .reduce((sum, { metrics }) => sum + metrics.requests, 0);
  const lost = hasNextPage ? [] : modelsOfItAlone(channel, channels ?? []);
  return (
    <>
      {day.data !== undefined &&
        `It served ${formatNumberOf(requests, 'request')} in the last 24 hours. `}
      {channels !== undefined && lost.length > 0 && (
        <b>
          No other channel serves {lost.slice(0, LOST_SHOWN).join(', ')}
          {lost.length > LOST_SHOWN && ` and ${formatCount(lost.length - LOST_SHOWN)} more`}.
        </b>
      )}
    </>
  );
}

/** How many models are named; the rest is counted. */
const LOST_SHOWN = 5;

/** How long people wait at the channel, compared with what is usual. */
function Pace({ pace }: { readonly pace: Channel['pace'] }) {
  if (pace === undefined || pace === null || pace.state === 'unknown') return null;
  if (pace.state === 'usual') return <Text c="dimmed">{pace.in_words}</Text>;
  return (
    <Alert variant="outline" color="var(--toll-warn)" role="status">
      <Text>{pace.in_words}</Text>
    </Alert>
  );
}

function Summary({ channel }: { readonly channel: Channel }) {
  const { health } = channel;
  return (
    <Facts
      facts={[
        ['Health', <ChannelHealthStatus key="health" channel={channel} isShort />],
        ['Vendor', nameVendor(channel.type)],
        ['Address', <Code key="address">{channel.base_url}</Code>],
        ['Credential', describeCredential(channel.credential_preview)],
        ['Models', channel.models.map(({ name }) => name).join(', ')],
        ['Groups', channel.groups.join(', ') || 'For all accounts'],
        ['Priority', <Count key="priority" of={channel.priority} />],
        ['Weight', <Count key="weight" of={channel.weight} />],
        ['Last check', <Moment key="checked" at={health.checked_at} never="Never" />],
        ['Last error', <LastError key="error" channel={channel} />],
        ['Answers after', <AnswerTime key="first" channel={channel} />],
      ]}
    />
  );
}

const CHART_HEIGHT = 160;
const OUTCOME_COLORS = ['toll.5', 'red.6', 'gray.5'];

/** The last 24 hours of all accounts, split by channel: one query for every channel's drawer. */
function useDayByChannel() {
  return useUsage({
    ...queryOf('24h', Date.now()),
    account_id: 'all',
    group_by: 'channel',
  });
}

/** How the channel did in the last 24 hours: what failed, and how long people waited. */
function ChannelFigures({ channelId }: { readonly channelId: string }) {
  const day = useDayByChannel();
  return (
    <QueryState query={day} lines={4}>
      {(usage) => {
        const results = usage.results.filter(({ group }) => group.channel === channelId);
        const own = { ...usage, results };
        // A drawing without anything in it says less than its absence.
        if (results.length === 0) return null;
        return (
          <>
            <DrawerSection title="Requests in 24 hours">
              <TimeChart
                label="Requests of the channel by outcome, 24 hours"
                kind="bars"
                series={toOutcomes(own)}
                unit={COUNTS}
                colors={OUTCOME_COLORS}
                height={CHART_HEIGHT}
              />
            </DrawerSection>
            <DrawerSection title="Time to the first token">
              <TimeChart
                label="Time to the first token of the channel, 24 hours"
                kind="lines"
                series={toLatency(own, 'first_token_ms')}
                unit={DURATIONS}
                height={CHART_HEIGHT}
              />
            </DrawerSection>
          </>
        );
      }}
    </QueryState>
  );
}

/** The last failed call of the channel, and the way to the stories of such requests. */
function LastError({ channel }: { readonly channel: Channel }) {
  const { last_error, last_error_at, state } = channel.health;
  if (last_error === null) {
    const isWell = state === 'healthy' || state === 'unknown';
    return <>{isWell ? 'None' : 'None since it answered last'}</>;
  }
  return (
    <>
      {last_error} <Moment at={last_error_at} />{' '}
      <Anchor
        component={Link}
        href={`/operator/requests?channel=${channel.id}&status=failed`}
        inherit
        underline="always"
      >
        Its failed requests
      </Anchor>
    </>
  );
}

/** A short credential shows none of its characters. */
function describeCredential(preview: string): string {
  if (preview === '') return 'None';
  return preview === '…' ? 'Set' : `Set, ends in ${preview}`;
}

function EditChannel({ channel }: { readonly channel: Channel }) {
  const update = useUpdateChannel(channel.id);
  const form = useEditForm(toChannelDraft(channel), {
    ...CHANNEL_RULES,
    credential: (value, { base_url }) => checkCredential(value, base_url, channel),
  });
  const changes = toChannelChanges(form.values, channel);
  return (
    <EditForm
      form={form}
      changes={changes}
      update={update}
      // What is never read back does not change by being saved.
      onSaved={() => form.setFieldValue('credential', '')}
    >
      <ChannelFields form={form} isNew={false} />
    </EditForm>
  );
}
