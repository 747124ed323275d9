import { CHANNEL_BOUNDS } from '@tollgate/core';
import type { routingV1 } from '@tollgate/protos';
import { z } from 'zod';
import type { RpcContext, Services } from '../operation';
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

export const timeoutsInForceSchema = named('TimeoutsInForce', {
  connect_ms: timeoutInForce,
  head_ms: timeoutInForce,
  whole_head_ms: timeoutInForce,
  first_token_ms: timeoutInForce,
  idle_ms: timeoutInForce,
  total_ms: timeoutInForce,
});

export const ownTimeoutsSchema = z
  .object({
    connect_ms: z.int(),
    head_ms: z.int(),
    whole_head_ms: z.int(),
    first_token_ms: z.int(),
    idle_ms: z.int(),
    total_ms: z.int(),
  })
  .meta({ description: 'Its own; 0 where the default of completion holds.' });

/** Milliseconds; 0 where the default holds. */
const timeout = z.int().min(0).max(CHANNEL_BOUNDS.timeoutMsMax).default(0);
export const timeoutsSchema = z.strictObject({
  connect_ms: timeout.meta({ description: 'To an open connection.' }),
  head_ms: timeout.meta({ description: 'To the head of a streamed answer.' }),
  whole_head_ms: timeout.meta({ description: 'To the head of an answer in one piece.' }),
  first_token_ms: timeout,
  idle_ms: timeout,
  total_ms: timeout,
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

type Timeouts = ReturnType<typeof toTimeouts>;

/** What really bounds a call at the channel. Instances of completion are configured alike. */
export async function readTimeoutsInForce(
  channel: Pick<routingV1.Channel__Output, 'timeouts'>,
  { completions }: Pick<Services, 'completions'>,
  rpc: RpcContext,
): Promise<z.infer<typeof timeoutsInForceSchema>> {
  const own = toTimeouts(channel);
  const call = { ...rpc, deadlineMs: DEADLINE_MS };
  const isAllSet = Object.values(own).every((ms) => ms !== 0);
  const timeouts = isAllSet
    ? undefined
    : await orUndefined(() => completions.defaultTimeouts(call));
  const defaults = timeouts === undefined ? undefined : toTimeouts({ timeouts });
  const inForce = (name: keyof Timeouts) =>
    own[name] === 0
      ? { ms: defaults?.[name] ?? null, source: 'default' as const }
      : { ms: own[name], source: 'set' as const };
  return {
    connect_ms: inForce('connect_ms'),
    head_ms: inForce('head_ms'),
    whole_head_ms: inForce('whole_head_ms'),
    first_token_ms: inForce('first_token_ms'),
    idle_ms: inForce('idle_ms'),
    total_ms: inForce('total_ms'),
  };
}
