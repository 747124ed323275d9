import type { Channel } from '../../api/schemas';
import type { StatusLabel, Tone } from '../../components/status';
import { formatShortTime } from '../../format/time';

const STATES: Readonly<Record<Channel['health']['state'], StatusLabel>> = {
  unknown: { tone: 'idle', label: 'Not called yet' },
  healthy: { tone: 'good', label: 'Healthy' },
  degraded: { tone: 'warn', label: 'Some calls fail' },
  unhealthy: { tone: 'bad', label: 'Calls fail' },
};

type DescribedChannel = Pick<
  Channel,
  'status' | 'health' | 'disabled_at' | 'disabled_reason' | 'pace'
>;

/** What is to be known of a channel: whether it may be called, how that ends, and why not. */
export function describeHealth(
  { status, health, disabled_at, disabled_reason, pace }: DescribedChannel,
  nowMs: number,
  timeZone?: string,
): StatusLabel & { readonly reason: string | null } {
  if (status === 'disabled') return { tone: 'idle', label: 'Disabled', reason: null };
  if (status === 'auto_disabled') {
    const at = disabled_at === null ? '' : ` ${formatShortTime(disabled_at, nowMs, timeZone)}`;
    return { tone: 'bad', label: `Disabled by itself${at}`, reason: disabled_reason };
  }
  const calls = describeCalls(health);
  const reason = calls.tone === 'bad' ? health.last_error : null;
  if (pace?.state !== 'slow') return { ...calls, reason };
  if (calls.tone === 'good') return { tone: 'warn', label: 'Slow', reason: pace.in_words };
  return { tone: calls.tone, label: `${calls.label}, and slow`, reason: reason ?? pace.in_words };
}

const URGENCY: readonly Tone[] = ['bad', 'warn', 'good', 'idle'];

/** Those that want attention first, in their order otherwise. */
export function orderByTrouble<One extends DescribedChannel>(
  channels: readonly One[],
  nowMs: number,
): readonly One[] {
  const urgency = (channel: One) => URGENCY.indexOf(describeHealth(channel, nowMs).tone);
  return [...channels].sort((a, b) => urgency(a) - urgency(b));
}

/** The same of one model of a channel. */
export function describeCalls(health: Pick<Channel['health'], 'state' | 'breaker'>): StatusLabel {
  if (health.breaker === 'open') return { tone: 'bad', label: 'Cut off after failures' };
  if (health.breaker === 'half_open') return { tone: 'warn', label: 'Being tried again' };
  return STATES[health.state];
}

/** A model, and whether anything can answer for it. */
export interface ServedModel {
  readonly name: string;
  /** How many shared channels name it, and how many of these can be called now. */
  readonly channels: number;
  readonly callable: number;
}

/** Every model of the catalogue with the channels behind it. */
export function countChannels(
  models: readonly string[],
  channels: readonly Pick<Channel, 'status' | 'health' | 'models' | 'owner_account_id'>[],
): readonly ServedModel[] {
  return models.map((name) => {
    const naming = channels.filter(
      ({ models, owner_account_id }) =>
        owner_account_id === null && models.some((model) => model.name === name),
    );
    return {
      name,
      channels: naming.length,
      callable: naming.filter((channel) => isCallable(channel, name)).length,
    };
  });
}

/** What nobody would answer for without the channel: of its models, those that it alone serves. */
export function modelsOfItAlone(
  channel: Pick<Channel, 'id' | 'models'>,
  channels: readonly Pick<Channel, 'id' | 'status' | 'health' | 'models' | 'owner_account_id'>[],
): readonly string[] {
  const names = channel.models.map(({ name }) => name);
  const others = channels.filter(({ id }) => id !== channel.id);
  return countChannels(names, others)
    .filter(({ callable }) => callable === 0)
    .map(({ name }) => name);
}

function isCallable({ status, health }: Pick<Channel, 'status' | 'health'>, name: string): boolean {
  const breaker = health.models.find(({ model }) => model === name)?.breaker ?? health.breaker;
  return status === 'enabled' && breaker !== 'open';
}
