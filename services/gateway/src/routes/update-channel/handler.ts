import type { RoutingClient } from '../../clients/control-plane';
import { toChannel, toChannelSettings } from '../resources/channel';
import { owed } from '../resources/values';
import { type Operation, operation } from '../route';
import { updateChannelSchema } from './schema';

/** Members that are left out keep their value, the credential above all. */
export function createUpdateChannel(routing: RoutingClient): Operation {
  return operation(updateChannelSchema, async ({ params, body, context }) => {
    const { channel } = await routing.updateChannel(
      { channelId: params.id, settings: toChannelSettings(body) },
      context.rpc,
    );
    return { data: toChannel(owed(channel)) };
  });
}
