import { CHANNEL_BOUNDS, type ChannelTimeouts } from '@tollgate/core';
import type { routingV1 } from '@tollgate/protos';
import { z } from 'zod';
import { orUndefined } from '../asking/partial-answer';
import type { Services } from '../operation';
import { named } from '../payloads/values';

/** A completion that is too busy keeps nobody from seeing a channel. */
const DEADLINE_MS = 2_000;

const timeoutInForce = named('TimeoutInForce', {
  ms: z.int().nullable().meta({
    description: 'Null of a default while completion, whose configuration it is, does not answer.',
  }),
  source: z.enum(['set', 'default']),
});

/** The names that the API has for the time-outs of a channel. */
const NAMES = {
  connectMs: 'connect_ms',
  headMs: 'head_ms',
  wholeHeadMs: 'whole_head_ms',
  firstTokenMs: 'first_token_ms',
  idleMs: 'idle_ms',
  totalMs: 'total_ms',
} as const satisfies Readonly<Record<keyof ChannelTimeouts, string>>;
type TimeoutKey = keyof typeof NAMES;
type TimeoutName = (typeof NAMES)[TimeoutKey];
const TIMEOUTS = Object.entries(NAMES) as readonly (readonly [TimeoutKey, TimeoutName])[];

function eachTimeout<Value>(
  make: (name: TimeoutName, key: TimeoutKey) => Value,
): Record<TimeoutName, Value> {
  const made = TIMEOUTS.map(([key, name]) => [name, make(name, key)] as const);
  return Object.fromEntries(made) as Record<TimeoutName, Value>;
}

export const timeoutsInForceSchema = named(
  'TimeoutsInForce',
  eachTimeout(() => timeoutInForce),
);

export const ownTimeoutsSchema = z
  .object(eachTimeout(() => z.int()))
  .meta({ description: 'Its own; 0 where the default of completion holds.' });

/** Milliseconds; 0 where the default holds. */
const timeout = z.int().min(0).max(CHANNEL_BOUNDS.timeoutMsMax).default(0);
export const timeoutsSchema = z.strictObject({
  ...eachTimeout(() => timeout),
  connect_ms: timeout.meta({ description: 'To an open connection.' }),
  head_ms: timeout.meta({ description: 'To the head of a streamed answer.' }),
  whole_head_ms: timeout.meta({ description: 'To the head of an answer in one piece.' }),
});

export function fromTimeouts(own: z.output<typeof timeoutsSchema>): ChannelTimeouts {
  const timeouts = TIMEOUTS.map(([key, name]) => [key, own[name]] as const);
  return Object.fromEntries(timeouts) as Record<TimeoutKey, number>;
}

/** The channel's own time-outs; 0 where the default holds. */
export function toTimeouts({ timeouts }: Pick<routingV1.Channel__Output, 'timeouts'>) {
  return eachTimeout((_name, key) => timeouts?.[key] ?? 0);
}

/** What really bounds a call at the channel. Instances of completion are configured alike. */
export async function readTimeoutsInForce(
  channel: Pick<routingV1.Channel__Output, 'timeouts'>,
  { completions }: Pick<Services, 'completions'>,
): Promise<z.infer<typeof timeoutsInForceSchema>> {
  const own = toTimeouts(channel);
  const call = { deadlineMs: DEADLINE_MS };
  const isAllSet = Object.values(own).every((ms) => ms !== 0);
  const timeouts = isAllSet
    ? undefined
    : await orUndefined(() => completions.defaultTimeouts(call));
  const defaults = timeouts === undefined ? undefined : toTimeouts({ timeouts });
  return eachTimeout((name) =>
    own[name] === 0
      ? { ms: defaults?.[name] ?? null, source: 'default' }
      : { ms: own[name], source: 'set' },
  );
}
