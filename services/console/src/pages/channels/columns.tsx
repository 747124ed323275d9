import { Text } from '@mantine/core';
import type { Channel } from '../../api/schemas';
import { type Column, numeric } from '../../components/data-table';
import { Status } from '../../components/status';
import { Count, Duration, ModelName, Moment, Name, Sentence } from '../../components/values';
import { NOTHING } from '../../format/quantity';
import { describeCalls, describeHealth, describeSuccess } from './channel-health';

/** The state of a channel: health says nothing of a disabled one. */
export function ChannelHealthStatus(props: {
  readonly channel: Channel;
  /** The pace of the channel is told elsewhere. */
  readonly isShort?: boolean;
}) {
  const { reason, ...status } = describeHealth(props.channel, Date.now());
  const isTold = props.isShort === true && reason === props.channel.pace?.in_words;
  return (
    <>
      <Status {...status} />
      {reason !== null && !isTold && (
        <Text size="xs" c="dimmed" component="div">
          <Sentence of={reason} />
        </Text>
      )}
    </>
  );
}

/** Time to the first token; to the whole answer of a channel at which nothing streams. */
export function AnswerTime({ channel: { health } }: { readonly channel: Channel }) {
  if (health.first_token_ms !== null) return <Duration ms={health.first_token_ms} />;
  if (health.latency_ms === null) return <>{NOTHING}</>;
  return (
    <>
      <Duration ms={health.latency_ms} /> whole
    </>
  );
}

const VENDORS: Readonly<Record<Channel['type'], string>> = {
  openai: 'OpenAI format',
  anthropic: 'Anthropic',
  gemini: 'Gemini',
  simulator: 'Simulator',
};

export function nameVendor(type: Channel['type']): string {
  return VENDORS[type];
}

export const channelColumns: readonly Column<Channel>[] = [
  { header: 'Name', width: 'name', cell: ({ name }) => <Name of={name} /> },
  {
    header: 'Models',
    width: 'name',
    cell: ({ models }) => <Sentence of={models.map(({ name }) => name).join(', ')} />,
    isLong: true,
  },
  {
    header: 'Health',
    width: 'sentence',
    cell: (channel) => <ChannelHealthStatus channel={channel} />,
    isLong: true,
  },
  { header: 'Vendor', cell: ({ type }) => nameVendor(type) },
  numeric('Calls and checks lately', ({ health }) => describeSuccess(health)),
  numeric('Answers after', (channel) => <AnswerTime channel={channel} />),
  numeric('Priority', ({ priority }) => <Count of={priority} />, { isMinor: true }),
];

type ModelHealth = Channel['health']['models'][number];

/** How one model of a channel is. */
export const healthColumns: readonly Column<ModelHealth>[] = [
  { header: 'Model', width: 'name', cell: ({ model }) => <ModelName of={model} /> },
  { header: 'Health', cell: (model) => <Status {...describeCalls(model)} /> },
  numeric('Calls and checks lately', ({ success_rate }) =>
    describeSuccess({ success_rate, models: [] }),
  ),
  { header: 'Not asked until', cell: ({ cooldown_until }) => <Moment at={cooldown_until} /> },
];
