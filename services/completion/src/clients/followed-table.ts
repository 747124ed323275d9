import { memoize } from '@tollgate/core';
import type { routingV1 } from '@tollgate/protos';
import { createRouteTable, type RouteTable } from '../routing/route-table';
import { fromProtoChannel, fromProtoModels } from './from-proto';

/** The table that changes add up to; what comes in parts is in force with the last of them. */
export function createFollowedTable() {
  let current = createRouteMaps();
  let next: RouteMaps | undefined;
  return {
    /** The stream broke: whatever was not whole comes again. */
    forgetParts() {
      next = undefined;
    },
    /** True when the last part was applied. */
    apply(changes: routingV1.RouteChanges__Output): boolean {
      if (changes.reset) next = createRouteMaps();
      next ??= { channels: new Map(current.channels), models: current.models };
      const changesModels = changes.models.length + changes.removedModels.length > 0;
      if (changesModels && next.models === current.models) next.models = new Map(current.models);
      for (const channel of changes.channels) next.channels.set(channel.id, channel);
      for (const { channelId, health } of changes.health) {
        const channel = next.channels.get(channelId);
        if (channel !== undefined) next.channels.set(channelId, { ...channel, health });
      }
      for (const id of changes.removedChannels) next.channels.delete(id);
      for (const model of changes.models) next.models.set(model.name, model);
      for (const name of changes.removedModels) next.models.delete(name);
      if (changes.more) return false;
      current = next;
      next = undefined;
      return true;
    },
    toTable: (): RouteTable =>
      createRouteTable(
        [...current.channels.values()].flatMap(mappedChannel),
        mappedModels(current.models),
      ),
  };
}

interface RouteMaps {
  readonly channels: Map<string, routingV1.RouteChannel__Output>;
  /** Another map when a model changed. */
  models: Map<string, routingV1.Model__Output>;
}

const createRouteMaps = (): RouteMaps => ({ channels: new Map(), models: new Map() });

// Most of the table stays as it is with a change: that is mapped once.
const mappedChannel = memoize(fromProtoChannel);
const mappedModels = memoize((models: RouteMaps['models']) =>
  fromProtoModels([...models.values()]),
);
