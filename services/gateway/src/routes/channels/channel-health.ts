import { CALL_FAILURE_KINDS, HEALTH_STATES } from '@tollgate/core';
import type { routingV1 } from '@tollgate/protos';
import { fromProtoName } from '@tollgate/rpc';
import { z } from 'zod';
import { isoTime, named, textOrNull } from '../payloads/values';

const healthState = z.enum(HEALTH_STATES);
const failureKind = z.enum(CALL_FAILURE_KINDS);
const modelHealth = named('ModelHealth', {
  model: z.string(),
  state: healthState,
  success_rate: z.number().nullable(),
  breaker: z.string().meta({ description: 'closed, half_open or open.' }),
  cooldown_until: isoTime.nullable().meta({
    description:
      'Until when the vendor asked to be left alone; null when it did not, or that is over.',
  }),
});

/** How a channel does, as its calls and checks showed. */
export const channelHealthSchema = named('ChannelHealth', {
  state: healthState,
  checked_at: isoTime.nullable(),
  latency_ms: z.int().nullable(),
  first_token_ms: z.int().nullable(),
  success_rate: z.number().nullable(),
  breaker: z
    .string()
    .meta({ description: "The best of its models': open when none of them can be called." }),
  models: z.array(modelHealth).meta({ description: 'The models that were called.' }),
  last_error: z
    .string()
    .nullable()
    .meta({
      description:
        'What the last check or call that failed met, with the words of its vendor, until the ' +
        'channel is healthy again.',
    }),
  last_error_kind: failureKind.nullable().meta({
    description: 'How that one ended, as a story of a request names it.',
  }),
  last_error_at: isoTime.nullable().meta({ description: 'When it was heard of.' }),
  no_room_at: isoTime.nullable().meta({
    description: 'When a request last found as many in flight as max_concurrency allows.',
  }),
});

type Health = z.infer<typeof channelHealthSchema>;

export function toChannelHealth(
  health: routingV1.ChannelHealth__Output | null,
  now: number,
): Health {
  return {
    state: toHealthState(health?.state),
    checked_at: textOrNull(health?.checkedAt ?? ''),
    latency_ms: health?.latencyMs ?? null,
    first_token_ms: health?.firstTokenMs ?? null,
    success_rate: toRate(health?.successRate),
    breaker: health?.breaker || 'closed',
    models: (health?.models ?? []).map((known) => ({
      model: known.model,
      state: toHealthState(known.state),
      success_rate: toRate(known.successRate),
      breaker: known.breaker || 'closed',
      // What is over says nothing any more.
      cooldown_until: Date.parse(known.cooldownUntil) > now ? known.cooldownUntil : null,
    })),
    last_error: textOrNull(health?.lastError ?? ''),
    last_error_kind: toFailureKind(health?.lastErrorKind),
    last_error_at: textOrNull(health?.lastErrorAt ?? ''),
    no_room_at: textOrNull(health?.noRoomAt ?? ''),
  };
}

function toHealthState(value: routingV1.HealthState__Output | undefined): Health['state'] {
  return fromProtoName(healthState.options, 'HEALTH_STATE', value ?? '') ?? 'unknown';
}

function toFailureKind(
  value: routingV1.OutcomeKind__Output | undefined,
): Health['last_error_kind'] {
  return fromProtoName(failureKind.options, 'OUTCOME_KIND', value ?? '') ?? null;
}

/** Three digits: a thousandth of the calls is more than an average of this kind can tell. */
const toRate = (rate = Number.NaN) => (Number.isNaN(rate) ? null : Math.round(rate * 1000) / 1000);
