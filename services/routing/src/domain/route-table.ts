import { DEFAULT_GROUP } from '@tollgate/core';
import type { Channel, ChannelHealth, ChannelModel } from './channel';
import { type Model, type PriceVersion, pricesAt } from './model';

/** A channel that may serve, with its credential in clear. */
export interface RouteChannel extends Omit<Channel, 'sealedCredential' | 'credentialPreview'> {
  readonly credential: string;
}

/** A model with the prices in force. */
export interface RouteModel extends Omit<Model, 'prices'> {
  readonly price: PriceVersion;
  /** A channel of it was disabled automatically, and is probed. */
  readonly recovering: boolean;
}

/** Everything that completion needs to choose and call a channel. */
export interface RouteTable {
  readonly revision: bigint;
  readonly channels: readonly RouteChannel[];
  readonly models: readonly RouteModel[];
  readonly currency: string;
}

export interface RouteTableInput {
  readonly revision: bigint;
  readonly channels: readonly Channel[];
  readonly models: readonly Model[];
  readonly currency: string;
  readonly atMs: number;
  /** Returns undefined when the credential cannot be opened; the channel is then left out. */
  readonly openCredential: (channel: Channel) => string | undefined;
}

/** The table of every enabled channel; models without a channel stay listed, as unavailable. */
export function buildRouteTable(input: RouteTableInput): RouteTable {
  const priced = new Set(input.models.map((model) => model.name));
  const channels = input.channels.flatMap((channel): readonly RouteChannel[] => {
    if (channel.status !== 'enabled') return [];
    const credential = input.openCredential(channel);
    if (credential === undefined) return [];
    const { sealedCredential: _, credentialPreview: __, ...open } = channel;
    const models = channel.models.filter((model) => priced.has(model.name));
    return [{ ...open, models, credential }];
  });
  const probed = input.channels.filter(({ status }) => status === 'auto_disabled');
  const recovering = new Set(probed.flatMap(({ models }) => models.map(({ name }) => name)));
  return {
    revision: input.revision,
    channels,
    models: input.models.map((model) => {
      const { prices: _, ...rest } = model;
      const price = pricesAt(model, input.atMs);
      return { ...rest, price, recovering: recovering.has(model.name) };
    }),
    currency: input.currency,
  };
}

/**
 * The table of a later revision in which channels differ by their health alone. Its models are the
 * same object, by which it is known that nothing else changed.
 */
export function withHealth(
  table: RouteTable,
  healthOf: ReadonlyMap<string, ChannelHealth>,
  revision: bigint,
): RouteTable {
  const channels = table.channels.map((channel) => {
    const health = healthOf.get(channel.id);
    return health === undefined ? channel : { ...channel, health };
  });
  return { ...table, revision, channels };
}

/** Whom a list of models is for. */
export interface ModelAudience {
  /** Empty for operators, who see every shared channel. */
  readonly accountId: string;
  /** Channel groups that may be named, besides the default one. */
  readonly groups: readonly string[];
}

/** True when some channel that may be used serves the model. */
export function isServed(table: RouteTable, model: string, audience: ModelAudience): boolean {
  return table.channels.some(
    (channel) =>
      mayUse(channel, audience) &&
      channel.models.some((served: ChannelModel) => served.name === model),
  );
}

function mayUse(channel: RouteChannel, { accountId, groups }: ModelAudience): boolean {
  if (channel.ownerAccountId !== null) return channel.ownerAccountId === accountId;
  if (accountId === '' || channel.groups.length === 0) return true;
  return channel.groups.some((group) => group === DEFAULT_GROUP || groups.includes(group));
}
