import type { Channel } from '../../api/schemas';
import type { Tone } from '../../components/status';

/** A state in words, and how it is to be taken. */
interface SaidState {
  readonly tone: Tone;
  readonly label: string;
}

const STATES: Readonly<Record<Channel['health']['state'], SaidState>> = {
  unknown: { tone: 'idle', label: 'Not called yet' },
  healthy: { tone: 'good', label: 'Healthy' },
  degraded: { tone: 'warn', label: 'Some calls fail' },
  unhealthy: { tone: 'bad', label: 'Calls fail' },
};

/** One word on a channel: whether it may be called, whether it is, and how that ends. */
export function sayHealth({ status, health }: Pick<Channel, 'status' | 'health'>): SaidState {
  if (status === 'disabled') return { tone: 'idle', label: 'Disabled' };
  if (status === 'auto_disabled') return { tone: 'bad', label: 'Disabled after failures' };
  return sayCalls(health);
}

/** The same of one model of a channel. */
export function sayCalls(health: Pick<Channel['health'], 'state' | 'breaker'>): SaidState {
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

function isCallable({ status, health }: Pick<Channel, 'status' | 'health'>, name: string): boolean {
  const breaker = health.models.find(({ model }) => model === name)?.breaker ?? health.breaker;
  return status === 'enabled' && breaker !== 'open';
}
