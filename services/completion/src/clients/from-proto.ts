import { type CallSummary, parseNano } from '@tollgate/core';
import type { routingV1 } from '@tollgate/protos';
import { fromProtoChannelType, fromProtoModelKind, toProtoName } from '@tollgate/rpc';
import type { RouteChannel, RouteModel } from '../routing/candidate';

export function fromProtoModels(models: readonly routingV1.Model__Output[]): readonly RouteModel[] {
  return models.filter((model) => !model.routing).flatMap(fromProtoModel);
}

/** None of a type that this version does not know. */
export function fromProtoChannel(channel: routingV1.RouteChannel__Output): readonly RouteChannel[] {
  const type = fromProtoChannelType(channel.type);
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
        name,
        upstreamName,
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

/** A model that was called is judged by itself; one that was not, by its channel. */
function isHealthy(health: routingV1.ChannelHealth__Output | null, name: string): boolean {
  const known = health?.models.find(({ model }) => model === name) ?? health;
  return known?.state !== 'HEALTH_STATE_UNHEALTHY';
}

function fromProtoModel(model: routingV1.Model__Output): readonly RouteModel[] {
  const { pricing } = model;
  if (pricing === null) return [];
  return [
    {
      name: model.name,
      kind: fromProtoModelKind(model.kind) ?? 'chat',
      completionTokensMax: model.maxCompletionTokens,
      contextTokensMax: model.contextLength,
      vendorTokensMax: vendorTokensMaxOf(model),
      priceVersion: pricing.version,
      currency: pricing.currency,
      unpriced: pricing.source === 'default',
      recovering: model.recovering,
      prices: {
        prompt: parseNano(pricing.prompt),
        completion: parseNano(pricing.completion),
        cachedPrompt: parseNano(pricing.cachedPrompt),
        ...(pricing.cacheWrite === undefined ? {} : { cacheWrite: parseNano(pricing.cacheWrite) }),
      },
    },
  ];
}

// The catalogue's context may end before the vendor's, where longer prompts are dearer. Of a model that
// no vendor published it is the one figure that there is.
function vendorTokensMaxOf({
  contextLength,
  vendorContextLength,
}: routingV1.Model__Output): number {
  return contextLength === 0 ? 0 : Math.max(contextLength, vendorContextLength ?? 0);
}

export function toProtoOutcome(outcome: CallSummary): routingV1.ChannelOutcome {
  const { kind, ...rest } = outcome;
  return { ...rest, kind: toProtoName('OUTCOME_KIND', kind) };
}
