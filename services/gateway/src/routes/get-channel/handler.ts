import type { RoutingClient } from '../../clients/control-plane';
import { toChannel } from '../resources/channel';
import { owed } from '../resources/values';
import { type Operation, operation } from '../route';
import { getChannelSchema } from './schema';

export function createGetChannel(routing: RoutingClient): Operation {
  return operation(getChannelSchema, async ({ params, context }) => {
    const { channel } = await routing.getChannel({ channelId: params.id }, context.rpc);
    return { data: toChannel(owed(channel)) };
  });
}
