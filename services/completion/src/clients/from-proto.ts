import { parseNano } from '@tollgate/core';
import type { billingV1, routingV1 } from '@tollgate/protos';
import type { LeaseGrant } from '../domain/ports';
import {
  type ChannelType,
  createRouteTable,
  type RouteChannel,
  type RouteModel,
  type RouteTable,
} from '../domain/route-table';
import type { Settlement } from '../domain/usage-record';

const CHANNEL_TYPES: Readonly<Partial<Record<routingV1.ChannelType__Output, ChannelType>>> = {
  CHANNEL_TYPE_OPENAI: 'openai',
  CHANNEL_TYPE_ANTHROPIC: 'anthropic',
  CHANNEL_TYPE_GEMINI: 'gemini',
  CHANNEL_TYPE_SIMULATOR: 'simulator',
};

/** A lease as billing granted it. */
export function fromProtoGrant(grant: billingV1.AcquireLeaseResponse__Output): LeaseGrant {
  return {
    lease: grant.lease,
    remaining: parseNano(grant.remaining),
    ttlMs: grant.ttlMs,
    marginMs: grant.marginMs,
    nextNumber: grant.nextNumber,
    swept: grant.swept,
    available: parseNano(grant.available),
    recalled: grant.recalled,
  };
}

/** How far a lease is settled. */
export function fromProtoSettlement(settlement: billingV1.Settlement__Output): Settlement {
  const { accountId, lease, nextNumber, complete } = settlement;
  return { accountId, lease, nextNumber, complete };
}

/** The pushed table, indexed; channels of a type that this version does not know are left out. */
export function fromProtoRouteTable(table: routingV1.RouteTable__Output): RouteTable {
  const models = table.models.filter((model) => !model.routing);
  return createRouteTable(
    BigInt(table.revision),
    table.channels.flatMap(fromProtoChannel),
    models.flatMap(fromProtoModel),
  );
}

function fromProtoModel(model: routingV1.Model__Output): readonly RouteModel[] {
  const { pricing } = model;
  if (pricing === null) return [];
  return [
    {
      name: model.name,
      completionTokensMax: model.maxCompletionTokens,
      contextTokensMax: model.contextLength,
      priceVersion: pricing.version,
      prices: {
        prompt: parseNano(pricing.prompt),
        completion: parseNano(pricing.completion),
        cachedPrompt: parseNano(pricing.cachedPrompt),
      },
    },
  ];
}

/** A model that was called is judged by itself; one that was not, by its channel. */
function isHealthy(health: routingV1.ChannelHealth__Output | null, name: string): boolean {
  const known = health?.models.find(({ model }) => model === name) ?? health;
  return known?.state !== 'HEALTH_STATE_UNHEALTHY';
}

function fromProtoChannel(channel: routingV1.RouteChannel__Output): readonly RouteChannel[] {
  const type = CHANNEL_TYPES[channel.type];
  if (type === undefined) return [];
  const { health, timeouts } = channel;
  return [
    {
      id: channel.id,
      name: channel.name,
      type,
      baseUrl: channel.baseUrl,
      credential: channel.credential,
      models: channel.models.map(({ name, upstreamName }) => ({
        ...{ name, upstreamName },
        healthy: isHealthy(health, name),
      })),
      groups: channel.groups,
      ownerAccountId: channel.ownerAccountId === '' ? null : channel.ownerAccountId,
      priority: channel.priority,
      weight: channel.weight,
      concurrencyMax: channel.maxConcurrency,
      timeouts: {
        connectMs: timeouts?.connectMs ?? 0,
        headMs: timeouts?.headMs ?? 0,
        wholeHeadMs: timeouts?.wholeHeadMs ?? 0,
        firstTokenMs: timeouts?.firstTokenMs ?? 0,
        idleMs: timeouts?.idleMs ?? 0,
        totalMs: timeouts?.totalMs ?? 0,
      },
      capabilities: channel.capabilities,
      firstTokenMs: health?.firstTokenMs ?? null,
    },
  ];
}
