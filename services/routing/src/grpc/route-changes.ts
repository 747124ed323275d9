import { memoize } from '@tollgate/core';
import type { routingV1 } from '@tollgate/protos';
import type { Sent } from '@tollgate/rpc';
import type { RouteChannel, RouteTable } from '../domain/route-table';
import { ALL_SHARED, toProtoHealth, toProtoRouteChannel, toProtoRouteModel } from './to-proto';

/** Parts of one message: a channel with ten models has about 1,400 bytes on the wire. */
const PARTS_MAX = 500;

/**
 * What a follower has to be told to come from one table to the next, the first of nothing; in
 * messages of bounded size. Health changes with every report and configuration hardly ever, so that
 * a change of health does not bring the rest of its channel along.
 */
export function changesBetween(
  before: RouteTable | undefined,
  after: RouteTable,
): readonly Sent<routingV1.RouteChanges>[] {
  const held = before && channelsById(before);
  const wanted = channelsById(after);
  const changed: Part[] = [];
  for (const [id, channel] of wanted) {
    const known = held?.get(id);
    // Most are the same: only a channel that was read again is compared as a text.
    if (known === channel) continue;
    const [old, present] = [known && textsOf(known), textsOf(channel)];
    if (old?.configuration !== present.configuration) {
      changed.push({ channels: [toProtoRouteChannel(channel)] });
    } else if (old.health !== present.health) {
      changed.push({ health: [{ channelId: id, health: toProtoHealth(channel.health) }] });
    }
  }
  for (const id of held?.keys() ?? []) {
    if (!wanted.has(id)) changed.push({ removedChannels: [id] });
  }
  if (before?.models !== after.models) changed.push(...changedModels(before, after));
  return toMessages(changed, before === undefined);
}

type Part = Partial<
  Pick<MessageParts, 'channels' | 'health' | 'models' | 'removedChannels' | 'removedModels'>
>;

interface MessageParts {
  readonly channels: readonly Sent<routingV1.RouteChannel>[];
  readonly health: readonly Sent<routingV1.RouteHealth>[];
  readonly models: readonly Sent<routingV1.Model>[];
  readonly removedChannels: string[];
  readonly removedModels: string[];
}

function toMessages(
  parts: readonly Part[],
  reset: boolean,
): readonly Sent<routingV1.RouteChanges>[] {
  const messages: Sent<routingV1.RouteChanges>[] = [];
  for (let from = 0; from === 0 || from < parts.length; from += PARTS_MAX) {
    const some = parts.slice(from, from + PARTS_MAX);
    messages.push({
      reset: reset && from === 0,
      channels: some.flatMap(({ channels = [] }) => channels),
      health: some.flatMap(({ health = [] }) => health),
      removedChannels: some.flatMap(({ removedChannels = [] }) => removedChannels),
      models: some.flatMap(({ models = [] }) => models),
      removedModels: some.flatMap(({ removedModels = [] }) => removedModels),
      more: from + PARTS_MAX < parts.length,
    });
  }
  return messages;
}

function changedModels(before: RouteTable | undefined, after: RouteTable): readonly Part[] {
  const [held, wanted] = [before && comparableModels(before), comparableModels(after)];
  const changed: Part[] = [];
  for (const [name, { model, text }] of wanted) {
    if (held?.get(name)?.text !== text) changed.push({ models: [model] });
  }
  for (const name of held?.keys() ?? []) {
    if (!wanted.has(name)) changed.push({ removedModels: [name] });
  }
  return changed;
}

// All followers of a table are told the same of it, so what it is compared by is made once.
const channelsById = memoize(
  ({ channels }: RouteTable): ReadonlyMap<string, RouteChannel> =>
    new Map(channels.map((channel) => [channel.id, channel])),
);

const textsOf = memoize(({ health, ...configuration }: RouteChannel) => ({
  configuration: JSON.stringify(configuration),
  health: JSON.stringify(health),
}));

const comparableModels = memoize((table: RouteTable) => {
  const models = table.models.map((model) => toProtoRouteModel(model, table, ALL_SHARED));
  return new Map(
    models.map((model) => [model.name ?? '', { model, text: JSON.stringify(model) }] as const),
  );
});
