import { CHANNEL_BOUNDS } from '@tollgate/core';
import type { routingV1 } from '@tollgate/protos';
import { z } from 'zod';
import type { Services } from '../operation';
import { orUndefined } from '../partial-answer';
import { named } from '../values';

/** A completion that is too busy keeps nobody from seeing a channel. */
const DEADLINE_MS = 2_000;

const timeoutInForce = named('TimeoutInForce', {
  ms: z.int().nullable().meta({
    description: 'Null of a default while completion, whose configuration it is, does not answer.',
  }),
  source: z.enum(['set', 'default']),
});

const NAMES = [
  'connect_ms',
  'head_ms',
  'whole_head_ms',
  'first_token_ms',
  'idle_ms',
  'total_ms',
] as const;
type TimeoutName = (typeof NAMES)[number];

function eachTimeout<Value>(make: (name: TimeoutName) => Value): Record<TimeoutName, Value> {
  const made = NAMES.map((name) => [name, make(name)] as const);
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

export function fromTimeouts(own: z.output<typeof timeoutsSchema>): routingV1.ChannelTimeouts {
  return {
    connectMs: own.connect_ms,
    headMs: own.head_ms,
    wholeHeadMs: own.whole_head_ms,
    firstTokenMs: own.first_token_ms,
    idleMs: own.idle_ms,
    totalMs: own.total_ms,
  };
}

/** The channel's own time-outs; 0 where the default holds. */
export function toTimeouts({ timeouts }: Pick<routingV1.Channel__Output, 'timeouts'>) {
  return {
    connect_ms: timeouts?.connectMs ?? 0,
    head_ms: timeouts?.headMs ?? 0,
    whole_head_ms: timeouts?.wholeHeadMs ?? 0,
    first_token_ms: timeouts?.firstTokenMs ?? 0,
    idle_ms: timeouts?.idleMs ?? 0,
    total_ms: timeouts?.totalMs ?? 0,
  };
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
