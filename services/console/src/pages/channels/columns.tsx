import type { Channel } from '../../api/schemas';
import type { Column } from '../../components/data-table';
import { Status } from '../../components/status';
import { Count, Moment } from '../../components/values';
import { formatShare, NOTHING } from '../../format/quantity';
import { sayCalls, sayHealth } from './channel-health';

/** One word on the channel; for one that is disabled, whether it was healthy says nothing. */
export function ChannelHealthStatus(props: { readonly channel: Channel }) {
  return <Status {...sayHealth(props.channel)} />;
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
  { header: 'Name', cell: ({ name }) => name },
  { header: 'Vendor', cell: ({ type }) => nameVendor(type) },
  {
    header: 'Models',
    cell: ({ models }) => models.map(({ name }) => name).join(', '),
    isLong: true,
  },
  { header: 'Health', cell: (channel) => <ChannelHealthStatus channel={channel} /> },
  {
    header: 'Success',
    isNumeric: true,
    cell: ({ health }) =>
      health.success_rate === null ? NOTHING : formatShare(health.success_rate),
  },
  {
    header: 'Priority',
    isNumeric: true,
    isMinor: true,
    cell: ({ priority }) => <Count of={priority} />,
  },
];

type ModelHealth = Channel['health']['models'][number];

/** How one model of a channel is. */
export const healthColumns: readonly Column<ModelHealth>[] = [
  { header: 'Model', cell: ({ model }) => model },
  { header: 'Health', cell: (model) => <Status {...sayCalls(model)} /> },
  {
    header: 'Success',
    isNumeric: true,
    cell: ({ success_rate }) => (success_rate === null ? NOTHING : formatShare(success_rate)),
  },
  { header: 'Left alone until', cell: ({ cooldown_until }) => <Moment at={cooldown_until} /> },
];
