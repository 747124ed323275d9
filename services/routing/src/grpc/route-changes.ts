import type { routingV1 } from '@tollgate/protos';
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
): readonly routingV1.RouteChanges[] {
  const [held, wanted] = [before && comparableOf(before), comparableOf(after)];
  const changed: Part[] = [];
  for (const [id, { channel, configuration, health }] of wanted.channels) {
    const known = held?.channels.get(id);
    if (known?.configuration !== configuration) {
      changed.push({ channels: [toProtoRouteChannel(channel)] });
    } else if (known.health !== health) {
      changed.push({ health: [{ channelId: id, health: toProtoHealth(channel.health) }] });
    }
  }
  for (const [name, { model, text }] of wanted.models) {
    if (held?.models.get(name)?.text !== text) changed.push({ models: [model] });
  }
  for (const id of held?.channels.keys() ?? []) {
    if (!wanted.channels.has(id)) changed.push({ removedChannels: [id] });
  }
  for (const name of held?.models.keys() ?? []) {
    if (!wanted.models.has(name)) changed.push({ removedModels: [name] });
  }
  return toMessages(changed, before === undefined);
}

type Part = Partial<
  Pick<MessageParts, 'channels' | 'health' | 'models' | 'removedChannels' | 'removedModels'>
>;

interface MessageParts {
  readonly channels: routingV1.RouteChannel[];
  readonly health: routingV1.RouteHealth[];
  readonly models: routingV1.Model[];
  readonly removedChannels: string[];
  readonly removedModels: string[];
}

function toMessages(parts: readonly Part[], reset: boolean): readonly routingV1.RouteChanges[] {
  const messages: routingV1.RouteChanges[] = [];
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

/** A table with the texts by which it is compared with another. */
interface ComparableTable {
  readonly channels: ReadonlyMap<
    string,
    { readonly channel: RouteChannel; readonly configuration: string; readonly health: string }
  >;
  readonly models: ReadonlyMap<string, { readonly model: routingV1.Model; readonly text: string }>;
}

/** All followers of a table are told the same of it. */
const comparableByTable = new WeakMap<RouteTable, ComparableTable>();

function comparableOf(table: RouteTable): ComparableTable {
  const found = comparableByTable.get(table);
  if (found !== undefined) return found;
  const models = table.models.map((model) => toProtoRouteModel(model, table, ALL_SHARED));
  const comparable: ComparableTable = {
    channels: new Map(
      table.channels.map((channel) => {
        const { health, ...configuration } = channel;
        const texts = {
          configuration: JSON.stringify(configuration),
          health: JSON.stringify(health),
        };
        return [channel.id, { channel, ...texts }];
      }),
    ),
    models: new Map(
      models.map((model) => [model.name ?? '', { model, text: JSON.stringify(model) }]),
    ),
  };
  comparableByTable.set(table, comparable);
  return comparable;
}
