import type { RoutingClient } from '../../clients/control-plane';
import { toDeleted } from '../resources/deleted';
import { type Operation, operation } from '../route';
import { deleteChannelSchema } from './schema';

export function createDeleteChannel(routing: RoutingClient): Operation {
  return operation(deleteChannelSchema, async ({ params, context }) => {
    await routing.deleteChannel({ channelId: params.id }, context.rpc);
    return { data: toDeleted(params.id) };
  });
}
