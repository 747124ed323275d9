import type { RoutingClient } from '../../clients/control-plane';
import { toChannel } from '../resources/channel';
import { toPage } from '../resources/page';
import { type Operation, operation } from '../route';
import { listChannelsSchema } from './schema';

export function createListChannels(routing: RoutingClient): Operation {
  return operation(listChannelsSchema, async ({ query, context }) => {
    const { limit, cursor = '' } = query;
    const { channels, nextCursor } = await routing.listChannels({ limit, cursor }, context.rpc);
    return { data: toPage(channels.map(toChannel), nextCursor) };
  });
}
