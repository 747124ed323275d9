import type { RoutingClient } from '../../clients/control-plane';
import { toChannel, toChannelSettings } from '../resources/channel';
import { owed } from '../resources/values';
import { type Operation, operation } from '../route';
import { createChannelSchema } from './schema';

export function createCreateChannel(routing: RoutingClient): Operation {
  return operation(createChannelSchema, async ({ principal, body, context }) => {
    const { key, bodyDigest } = context.idempotency;
    const { channel, replayed } = await routing.createChannel(
      {
        settings: toChannelSettings(body),
        // Channels belong to no account, so the caller's is a part of the key.
        idempotencyKey: key === '' ? '' : `${principal.accountId}/${key}`,
        bodyDigest,
      },
      context.rpc,
    );
    return { data: toChannel(owed(channel)), replayed };
  });
}
