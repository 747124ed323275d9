import type { RoutingClient } from '../../clients/control-plane';
import { toChannel, toChannelSettings } from '../resources/channel';
import { toOperatorIdempotency } from '../resources/idempotency';
import { owed } from '../resources/values';
import { type Operation, operation } from '../route';
import { createChannelSchema } from './schema';

export function createCreateChannel(routing: RoutingClient): Operation {
  return operation(createChannelSchema, async ({ principal, body, context }) => {
    const { channel, replayed } = await routing.createChannel(
      {
        settings: toChannelSettings(body),
        ...toOperatorIdempotency(principal, context.idempotency),
      },
      context.rpc,
    );
    return { data: toChannel(owed(channel)), replayed };
  });
}
