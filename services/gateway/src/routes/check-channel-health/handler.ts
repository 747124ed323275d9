import type { RoutingClient } from '../../clients/control-plane';
import { toOperatorIdempotency } from '../resources/idempotency';
import { textOrNull } from '../resources/values';
import { type Operation, operation } from '../route';
import { checkChannelHealthSchema } from './schema';

/** A vendor may take its time: longer than any other management call. */
const DEADLINE_MS = 30_000;

export function createCheckChannelHealth(routing: RoutingClient): Operation {
  return operation(checkChannelHealthSchema, async ({ principal, params, body, context }) => {
    const checked = await routing.checkChannelHealth(
      {
        channelId: params.id,
        model: body.model ?? '',
        ...toOperatorIdempotency(principal, context.idempotency),
      },
      { ...context.rpc, deadlineMs: DEADLINE_MS },
    );
    return {
      data: {
        channel_id: checked.channelId,
        model: checked.model,
        healthy: checked.healthy,
        latency_ms: checked.latencyMs ?? null,
        first_token_ms: checked.firstTokenMs ?? null,
        http_status: checked.httpStatus ?? null,
        error: textOrNull(checked.error),
        checked_at: checked.checkedAt,
      },
      replayed: checked.replayed,
    };
  });
}
