import type { Channel } from '../../api/schemas';
import type { StatusLabel, Tone } from '../../components/status';
import { formatShare, NOTHING } from '../../format/quantity';
import { formatShortTime } from '../../format/time';

type Health = Channel['health'];

/** States as alerts judge them: a failing channel is a warning, because others may answer for it. */
const STATES: Readonly<Record<Health['state'], StatusLabel>> = {
  unknown: { tone: 'idle', label: 'Not called yet' },
  healthy: { tone: 'good', label: 'Healthy' },
  degraded: { tone: 'warn', label: 'Some calls fail' },
  unhealthy: { tone: 'warn', label: 'Calls fail' },
};

type DescribedChannel = Pick<
  Channel,
  'status' | 'health' | 'disabled_at' | 'disabled_reason' | 'pace' | 'owner_account_id'
>;

/** What is to be known of a channel: whether it may be called, how that ends, and why not. */
export function describeHealth(
  { status, health, disabled_at, disabled_reason, pace, owner_account_id }: DescribedChannel,
  nowMs: number,
  timeZone?: string,
): StatusLabel & { readonly reason: string | null } {
  if (status === 'disabled') return { tone: 'idle', label: 'Disabled', reason: null };
  if (status === 'auto_disabled') {
    const at = disabled_at === null ? '' : ` ${formatShortTime(disabled_at, nowMs, timeZone)}`;
    // A channel of a customer hurts nobody else.
    const tone = owner_account_id === null ? 'bad' : 'warn';
    return { tone, label: `Disabled automatically${at}`, reason: disabled_reason };
  }
  const calls = describeAllCalls(health);
  const reason = isFailing(health) ? health.last_error : null;
  if (pace?.state !== 'slow') return { ...calls, reason };
  if (calls.tone === 'good') return { tone: 'warn', label: 'Slow', reason: pace.in_words };
  return { tone: calls.tone, label: `${calls.label}, and slow`, reason: reason ?? pace.in_words };
}

/** Whether its last error is told: its calls or those of a model fail, or a model is cut off. */
function isFailing({ state, breaker, models }: Health): boolean {
  return [{ state, breaker }, ...models].some(
    (one) => one.breaker === 'open' || (one.state === 'unhealthy' && one.breaker !== 'half_open'),
  );
}

/** A channel is no better than the worst of its models, which are shown beside it. */
function describeAllCalls(health: Health): StatusLabel {
  const whole = describeCalls(health);
  if (whole.tone === 'warn') return whole;
  if (health.models.some(({ breaker }) => breaker === 'open')) {
    return { tone: 'warn', label: 'A model is cut off' };
  }
  const isHurt = health.models.some((model) => describeCalls(model).tone === 'warn');
  return isHurt ? STATES.degraded : whole;
}

/**
 * The share of recent calls and checks that worked, whatever became of the requests: from the worst
 * to the best model of the channel, whose own shares are shown beside it.
 */
export function describeSuccess({ success_rate, models }: Pick<Health, 'success_rate' | 'models'>) {
  const known = models.flatMap((model) => model.success_rate ?? []);
  const shares = known.length > 0 || success_rate === null ? known : [success_rate];
  if (shares.length === 0) return NOTHING;
  const [least, most] = [Math.min(...shares), Math.max(...shares)].map(formatShare);
  return least === most ? `${most} worked` : `${least} to ${most} worked`;
}

const URGENCY: readonly Tone[] = ['bad', 'warn', 'good', 'idle'];

/** Channels that want attention first, otherwise in their order. */
export function orderByTrouble<One extends DescribedChannel>(
  channels: readonly One[],
  nowMs: number,
): readonly One[] {
  const urgency = (channel: One) =>
    URGENCY.indexOf(describeHealth(channel, nowMs).tone) * 2 - (isFailing(channel.health) ? 1 : 0);
  return [...channels].sort((a, b) => urgency(a) - urgency(b));
}

/** How calls end, of a channel as a whole or of one of its models. */
export function describeCalls(health: Pick<Channel['health'], 'state' | 'breaker'>): StatusLabel {
  if (health.breaker === 'open') return { tone: 'warn', label: 'Cut off after failures' };
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

/** Models of the channel that it alone serves: without it nobody would answer for them. */
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
