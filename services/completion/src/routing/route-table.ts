import { AppError, DEFAULT_GROUP } from '@tollgate/core';
import type { Candidate, RouteChannel, RouteModel } from './candidate';
import { type ChannelCandidates, ChannelSet, candidatesOfChannel } from './channel-set';

/** Everything that a choice depends on, as routing pushed it last. */
export interface RouteTable {
  readonly channels: readonly RouteChannel[];
  readonly models: ReadonlyMap<string, RouteModel>;
  /** By `setKeyOfGroup` or `setKeyOfOwner`; none is there without a channel. */
  readonly channelSets: ReadonlyMap<string, ChannelSet>;
}

/** Key of the operator's channels in a group. */
export function setKeyOfGroup(group: string): string {
  return `group ${group}`;
}

/** Key of an account's own channels. */
export function setKeyOfOwner(accountId: string): string {
  return `own ${accountId}`;
}

/**
 * What channels offer of these very models. A table comes every few seconds with the health of some
 * channels, and most of it is that of before.
 */
const offeredOf = new WeakMap<readonly RouteModel[], WeakMap<RouteChannel, ChannelCandidates>>();

/** Sorts a table into sets of channels once, when it arrives. */
export function createRouteTable(
  channels: readonly RouteChannel[],
  models: readonly RouteModel[],
): RouteTable {
  const modelsByName = new Map(models.map((model) => [model.name, model]));
  const known = offeredOf.get(models) ?? new WeakMap<RouteChannel, ChannelCandidates>();
  offeredOf.set(models, known);
  const bySet = new Map<string, ChannelCandidates[]>();
  for (const channel of channels) {
    const offered =
      known.get(channel) ?? candidatesOfChannel(channel, candidatesOf(channel, modelsByName));
    known.set(channel, offered);
    for (const key of setKeysOf(channel)) {
      const others = bySet.get(key);
      if (others === undefined) bySet.set(key, [offered]);
      else others.push(offered);
    }
  }
  const channelSets = new Map([...bySet].map(([key, each]) => [key, new ChannelSet(each)]));
  return { channels, models: modelsByName, channelSets };
}

function candidatesOf(
  channel: RouteChannel,
  models: ReadonlyMap<string, RouteModel>,
): readonly Candidate[] {
  return channel.models.flatMap(({ name, upstreamName, healthy }, position) => {
    const model = models.get(name);
    return model === undefined ? [] : [{ channel, model, upstreamName, healthy, position }];
  });
}

function setKeysOf({ ownerAccountId, groups }: RouteChannel): readonly string[] {
  if (ownerAccountId !== null) return [setKeyOfOwner(ownerAccountId)];
  return (groups.length === 0 ? [DEFAULT_GROUP] : groups).map(setKeyOfGroup);
}

/** The table, or 503 while routing has not sent one. */
export function requireTable(table: RouteTable | undefined): RouteTable {
  if (table !== undefined) return table;
  throw new AppError('SERVICE_UNAVAILABLE', {
    internalMessage: 'no route table yet',
    retryAfterMs: 1000,
  });
}
