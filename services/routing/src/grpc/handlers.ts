import type { Clock, Idempotency } from '@tollgate/core';
import type { IdempotentResult } from '@tollgate/mongo';
import {
  type definitionOf,
  fromProtoIdempotency,
  type Handlers,
  type PeerPolicy,
} from '@tollgate/rpc';
import type { HealthCheck } from '../domain/ports';
import type { ChannelOperations } from '../operations/channels';
import type { ModelOperations } from '../operations/models';
import type { OutcomeCollector } from '../operations/outcome-collector';
import type { RouteTableFeed } from '../operations/route-table-feed';
import {
  fromProtoChannelSettings,
  fromProtoKnownType,
  fromProtoModel,
  fromProtoOutcomes,
  fromProtoSelection,
} from './from-proto';
import {
  toProtoChannel,
  toProtoHealthCheck,
  toProtoListPrices,
  toProtoModel,
  toProtoModelList,
  toProtoVendorModel,
  toProtoVersions,
} from './to-proto';
import { streamRouteTable } from './watch-route-table';

type RoutingDefinition = ReturnType<typeof definitionOf<'routing'>>;

/** Who may call what: only completion sees credentials, and only in the table. */
export const routingPolicy: PeerPolicy<RoutingDefinition> = {
  watchRouteTable: ['completion'],
  reportOutcomes: ['completion'],
  listModels: ['gateway'],
  putModel: ['gateway'],
  deleteModel: ['gateway'],
  listChannels: ['gateway'],
  getChannel: ['gateway'],
  createChannel: ['gateway'],
  updateChannel: ['gateway'],
  deleteChannel: ['gateway'],
  checkChannelHealth: ['gateway'],
  discoverModels: ['gateway'],
};

export interface RoutingHandlersOptions {
  readonly feed: RouteTableFeed;
  readonly channels: ChannelOperations;
  readonly models: ModelOperations;
  readonly outcomes: OutcomeCollector;
  readonly checkHealth: (
    channelId: string,
    model: string,
    idempotency: Idempotency,
  ) => Promise<IdempotentResult<HealthCheck>>;
  readonly currency: string;
  readonly clock: Clock;
}

/** Translate, call one operation, translate back. */
export function createRoutingHandlers(
  options: RoutingHandlersOptions,
): Handlers<RoutingDefinition> {
  const { feed, channels, models, outcomes, currency, clock } = options;
  return {
    watchRouteTable: (request, call, out) => streamRouteTable(feed, clock, request, call, out),
    async reportOutcomes(request) {
      outcomes.report(fromProtoOutcomes(request.outcomes));
      return {};
    },
    async listModels(request) {
      const { accountId, grantedGroups: groups, versionsOf } = request;
      if (versionsOf !== '') {
        const model = await models.find(versionsOf);
        return { models: model ? [toProtoVersions(model, await feed.newest(), clock.now())] : [] };
      }
      return { models: toProtoModelList(await feed.newest(), { accountId, groups }) };
    },
    async putModel(request) {
      const settings = fromProtoModel(request.model, currency);
      if (request.validateOnly) {
        await models.check(settings, request);
        return {};
      }
      if (!request.create) {
        const replaced = await models.replace(settings);
        return { model: toProtoModel(replaced, await feed.newest(), clock.now()) };
      }
      const { answer, replayed } = await models.create(settings, fromProtoIdempotency(request));
      return { model: toProtoModel(answer, await feed.newest(), clock.now()), replayed };
    },
    async deleteModel(request) {
      await models.remove(request.name);
      return {};
    },
    async listChannels(request) {
      const { limit, cursor, selection } = request;
      const page = await channels.list(limit, cursor, fromProtoSelection(selection));
      return { channels: page.items.map(toProtoChannel), nextCursor: page.nextCursor };
    },
    async getChannel(request) {
      return { channel: toProtoChannel(await channels.get(request.channelId)) };
    },
    async createChannel(request) {
      const settings = fromProtoChannelSettings(request.settings);
      const { answer, replayed } = await channels.create(settings, fromProtoIdempotency(request));
      return { channel: toProtoChannel(answer), replayed };
    },
    async updateChannel(request) {
      const settings = fromProtoChannelSettings(request.settings);
      return { channel: toProtoChannel(await channels.update(request.channelId, settings)) };
    },
    async deleteChannel(request) {
      await channels.remove(request.channelId);
      return {};
    },
    async checkChannelHealth(request) {
      const { channelId, model } = request;
      const idempotency = fromProtoIdempotency(request);
      const { answer, replayed } = await options.checkHealth(channelId, model, idempotency);
      return { ...toProtoHealthCheck(answer), replayed };
    },
    async discoverModels({ type, baseUrl, credential }) {
      const found = await channels.discoverModels(fromProtoKnownType(type), baseUrl, credential);
      const { models: listed, httpStatus, error } = found;
      const names = listed.map(({ name }) => name);
      return {
        names,
        error,
        listPrices: toProtoListPrices(names, currency),
        models: listed.map(toProtoVendorModel),
        ...(httpStatus === null ? {} : { httpStatus }),
      };
    },
  };
}
