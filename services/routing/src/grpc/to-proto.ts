import { type HealthState, ROUTING_NAMES, toIsoTime } from '@tollgate/core';
import type { routingV1 } from '@tollgate/protos';
import {
  type Sent,
  toProtoChannelType,
  toProtoModelKind,
  toProtoName,
  toProtoTime,
} from '@tollgate/rpc';
import type { ChannelHealth, ChannelView, ModelHealth } from '../domain/channel';
import { type Model, type PriceSettings, type PriceVersion, pricesAt } from '../domain/model';
import type { HealthCheck, ListedModel } from '../domain/ports';
import {
  knownLimitsOf,
  listPriceOf,
  vendorContextOf,
  vendorModelKindOf,
} from '../domain/published-models';
import {
  isServed,
  type ModelAudience,
  type RouteChannel,
  type RouteModel,
  type RouteTable,
} from '../domain/route-table';

const HEALTH_STATES = {
  unknown: 'HEALTH_STATE_UNSPECIFIED',
  healthy: 'HEALTH_STATE_HEALTHY',
  degraded: 'HEALTH_STATE_DEGRADED',
  unhealthy: 'HEALTH_STATE_UNHEALTHY',
} as const satisfies Record<HealthState, string>;

/** The channel as operators see it: the credential is only its preview. */
export function toProtoChannel(channel: ChannelView): Sent<routingV1.Channel> {
  return {
    ...toProtoCommon(channel),
    credentialPreview: channel.credentialPreview,
    status: toProtoName('CHANNEL_STATUS', channel.status),
    autoDisable: channel.autoDisable,
    createdAt: toIsoTime(channel.createdAtMs),
    updatedAt: toIsoTime(channel.updatedAtMs),
    disabledAt: toProtoTime(channel.autoDisabled?.atMs),
    disabledReason: channel.autoDisabled?.reason ?? '',
  };
}

/** What operators and completion are told of a channel alike. */
function toProtoCommon(channel: ChannelView | RouteChannel) {
  return {
    id: channel.id,
    name: channel.name,
    type: toProtoChannelType(channel.type),
    baseUrl: channel.baseUrl,
    models: channel.models,
    groups: channel.groups,
    ownerAccountId: channel.ownerAccountId ?? '',
    priority: channel.priority,
    weight: channel.weight,
    maxConcurrency: channel.maxConcurrency,
    timeouts: channel.timeouts,
    capabilities: channel.capabilities,
    health: toProtoHealth(channel.health),
  };
}

/** How a channel does. */
export function toProtoHealth(health: ChannelHealth): routingV1.ChannelHealth {
  const { checkedAtMs, latencyMs, firstTokenMs, successRate } = health;
  return {
    state: HEALTH_STATES[health.state],
    checkedAt: toProtoTime(checkedAtMs),
    breaker: health.breaker,
    models: health.models.map(toProtoModelHealth),
    lastError: health.lastError ?? '',
    lastErrorAt: toProtoTime(health.lastErrorAtMs),
    noRoomAt: toProtoTime(health.noRoomAtMs),
    ...(health.lastErrorKind
      ? { lastErrorKind: toProtoName('OUTCOME_KIND', health.lastErrorKind) }
      : {}),
    ...(latencyMs === null ? {} : { latencyMs }),
    ...(firstTokenMs === null ? {} : { firstTokenMs }),
    ...(successRate === null ? {} : { successRate }),
  };
}

function toProtoModelHealth(health: ModelHealth): routingV1.ModelHealth {
  const { model, state, breaker, cooldownUntilMs, successRate } = health;
  return {
    model,
    breaker,
    state: HEALTH_STATES[state],
    cooldownUntil: toProtoTime(cooldownUntilMs),
    ...(successRate === null ? {} : { successRate }),
  };
}

/** Every shared channel: what completion is told, which decides itself who may use what. */
export const ALL_SHARED: ModelAudience = { accountId: '', groups: [] };

/** A channel as completion receives it. */
export function toProtoRouteChannel(channel: RouteChannel): Sent<routingV1.RouteChannel> {
  return { ...toProtoCommon(channel), credential: channel.credential };
}

/** A model as the audience may use it. */
export function toProtoRouteModel(
  model: RouteModel,
  table: RouteTable,
  audience: ModelAudience,
): Sent<routingV1.Model> {
  const { price, createdAtMs, ...rest } = model;
  const vendorContextLength = vendorContextOf(model.name);
  return {
    ...rest,
    ...(vendorContextLength === undefined ? {} : { vendorContextLength }),
    kind: toProtoModelKind(rest.kind),
    createdAt: toIsoTime(createdAtMs),
    pricing: toProtoPricing(price, table.currency),
    available: isServed(table, model.name, audience),
    routing: false,
  };
}

/** Every model as the audience may use it, the routing names after them. */
export function toProtoModelList(
  table: RouteTable,
  audience: ModelAudience,
): Sent<routingV1.Model>[] {
  const models = table.models.map((model) => toProtoRouteModel(model, table, audience));
  const available = models.some((model) => model.available);
  const routing = ROUTING_NAMES.map((name) => ({
    name,
    description: ROUTING_DESCRIPTIONS[name],
    ownedBy: 'tollgate',
    available,
    routing: true,
  }));
  return [...models, ...routing];
}

const ROUTING_DESCRIPTIONS: Readonly<Record<(typeof ROUTING_NAMES)[number], string>> = {
  auto: 'The service selects the best model.',
  'auto-cheap': 'The service selects the cheapest model.',
  'auto-fast': 'The service selects the fastest model.',
};

/** A catalogue entry with the price in force, as operators have it. */
export function toProtoModel(model: Model, table: RouteTable, atMs: number): Sent<routingV1.Model> {
  const { prices: _, createdAtMs, ...rest } = model;
  return {
    ...rest,
    kind: toProtoModelKind(rest.kind),
    createdAt: toIsoTime(createdAtMs),
    pricing: toProtoPricing(pricesAt(model, atMs), table.currency),
    available: isServed(table, model.name, ALL_SHARED),
  };
}

/** The same with every price it ever had. */
export function toProtoVersions(
  model: Model,
  table: RouteTable,
  atMs: number,
): Sent<routingV1.Model> {
  return {
    ...toProtoModel(model, table, atMs),
    priceVersions: model.prices.map((price) => toProtoPricing(price, table.currency)),
  };
}

function toProtoPricing(price: PriceVersion, currency: string): routingV1.Pricing {
  const { effectiveAtMs, version } = price;
  return { ...toProtoPrices(price, currency), version, effectiveAt: toIsoTime(effectiveAtMs) };
}

function toProtoPrices(price: PriceSettings, currency: string): routingV1.Pricing {
  return {
    currency,
    prompt: price.prompt.toString(),
    completion: price.completion.toString(),
    cachedPrompt: price.cachedPrompt.toString(),
    ...(price.cacheWrite === undefined ? {} : { cacheWrite: price.cacheWrite.toString() }),
    source: price.source ?? '',
  };
}

/** What vendors publish of these models, as far as it is known. */
export function toProtoListPrices(
  names: readonly string[],
  currency: string,
): routingV1.ListPrice[] {
  return names.flatMap((model) => {
    const price = listPriceOf(model, currency);
    return price === undefined ? [] : [{ model, pricing: toProtoPrices(price, currency) }];
  });
}

/** What is known of a model that a vendor lists. */
export function toProtoVendorModel(listed: ListedModel): routingV1.VendorModel {
  const { name } = listed;
  const kind = vendorModelKindOf(name);
  return {
    name,
    kind: kind === 'other' ? 'MODEL_KIND_UNSPECIFIED' : toProtoModelKind(kind),
    ...knownLimitsOf(name, listed),
  };
}

/** The result of a health check. */
export function toProtoHealthCheck(check: HealthCheck): routingV1.CheckChannelHealthResponse {
  const { channelId, model, healthy, error, latencyMs, httpStatus } = check;
  return {
    channelId,
    model,
    healthy,
    error,
    checkedAt: toIsoTime(check.checkedAtMs),
    ...(latencyMs === null ? {} : { latencyMs }),
    ...(httpStatus === null ? {} : { httpStatus }),
  };
}
