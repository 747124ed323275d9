import type { Channel } from '../../api/schemas';
import type { Column } from '../../components/data-table';
import { Status, type Tone, toWords } from '../../components/status';
import { Count, Moment } from '../../components/values';
import { formatShare, NOTHING } from '../../format/quantity';

const TONES: Readonly<Record<Channel['status'], Tone>> = {
  enabled: 'good',
  disabled: 'idle',
  auto_disabled: 'bad',
};

export function ChannelStatus(props: { readonly status: Channel['status'] }) {
  const { status } = props;
  const label = status === 'auto_disabled' ? 'Disabled after failures' : toWords(status);
  return <Status tone={TONES[status]} label={label} />;
}

/** Whether it is left alone after failures; closed is the good state of a breaker. */
export function BreakerStatus(props: { readonly breaker: string }) {
  const { breaker } = props;
  if (breaker === 'closed') return <Status tone="good" label="Closed" />;
  return <Status tone={breaker === 'open' ? 'bad' : 'warn'} label={toWords(breaker)} />;
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
  { header: 'Models', cell: ({ models }) => models.map(({ name }) => name).join(', ') },
  { header: 'Status', cell: ({ status }) => <ChannelStatus status={status} /> },
  {
    header: 'Breaker',
    isMinor: true,
    cell: ({ health }) => <BreakerStatus breaker={health.breaker} />,
  },
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
  {
    header: 'Breaker',
    cell: ({ breaker }) => <BreakerStatus breaker={breaker} />,
  },
  {
    header: 'Success',
    isNumeric: true,
    cell: ({ success_rate }) => (success_rate === null ? NOTHING : formatShare(success_rate)),
  },
  { header: 'Left alone until', cell: ({ cooldown_until }) => <Moment at={cooldown_until} /> },
];
