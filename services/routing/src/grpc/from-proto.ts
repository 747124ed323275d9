import {
  BREAKER_STATES,
  CALL_OUTCOME_KINDS,
  type CallSummary,
  CHANNEL_STATUSES,
  type ChannelStatus,
  type ChannelType,
  invalid,
  type Nano,
  nano,
} from '@tollgate/core';
import type { routingV1 } from '@tollgate/protos';
import {
  fromProtoChannelType,
  fromProtoModelKind,
  fromProtoName,
  type Mutable,
} from '@tollgate/rpc';
import type { ChannelSettings } from '../domain/channel-settings';
import type { ModelSettings, PriceSettings } from '../domain/model';
import type { ChannelSelection } from '../domain/ports';
import { listPriceOf } from '../domain/published-models';

export function fromProtoKnownType(value: routingV1.ChannelType__Output): ChannelType {
  const found = fromProtoChannelType(value);
  if (found === undefined) throw invalid('type', 'type is not known.');
  return found;
}

function fromProtoStatus(value: routingV1.ChannelStatus__Output): ChannelStatus {
  const found = fromProtoName(CHANNEL_STATUSES, 'CHANNEL_STATUS', value);
  if (found === undefined) throw invalid('status', 'status is not known.');
  return found;
}

/** Members that the request left out stay out, so that they keep their present value. */
export function fromProtoChannelSettings(
  proto: routingV1.ChannelSettings__Output | null,
): ChannelSettings {
  if (proto === null) return {};
  const settings: Mutable<ChannelSettings> = {};
  if (proto.name !== undefined) settings.name = proto.name;
  if (proto.type !== undefined) settings.type = fromProtoKnownType(proto.type);
  if (proto.baseUrl !== undefined) settings.baseUrl = proto.baseUrl;
  if (proto.credential !== undefined) settings.credential = proto.credential;
  if (proto.models) {
    settings.models = proto.models.values.map(({ name, upstreamName }) => ({
      name,
      upstreamName: upstreamName || name,
    }));
  }
  if (proto.groups) settings.groups = proto.groups.values;
  if (proto.ownerAccountId !== undefined) settings.ownerAccountId = proto.ownerAccountId;
  if (proto.priority !== undefined) settings.priority = proto.priority;
  if (proto.weight !== undefined) settings.weight = proto.weight;
  if (proto.status !== undefined) settings.status = fromProtoStatus(proto.status);
  if (proto.autoDisable !== undefined) settings.autoDisable = proto.autoDisable;
  if (proto.maxConcurrency !== undefined) settings.maxConcurrency = proto.maxConcurrency;
  if (proto.timeouts) settings.timeouts = proto.timeouts;
  if (proto.capabilities) settings.capabilities = proto.capabilities.values;
  return settings;
}

/**
 * A model without a price has the one of its vendor's list, and is refused where there is none; a
 * missing cached price is the prompt's.
 */
export function fromProtoModel(
  proto: routingV1.Model__Output | null,
  currency: string,
): ModelSettings {
  if (proto === null) throw invalid('model', 'model is required.');
  return {
    name: proto.name,
    kind: fromProtoModelKind(proto.kind),
    description: proto.description,
    contextLength: proto.contextLength,
    maxCompletionTokens: proto.maxCompletionTokens,
    capabilities: proto.capabilities,
    ownedBy: proto.ownedBy,
    prices: fromProtoPrices(proto, currency),
  };
}

function fromProtoPrices(
  { name, pricing }: routingV1.Model__Output,
  currency: string,
): PriceSettings {
  if (pricing === null) {
    const listed = listPriceOf(name, currency);
    if (listed !== undefined) return listed;
    throw invalid('pricing', `pricing is required: no list price is known in ${currency}.`);
  }
  if (pricing.currency !== '' && pricing.currency !== currency) {
    throw invalid('pricing.currency', `This deployment has one currency: ${currency}.`);
  }
  const { cacheWrite, source } = pricing;
  return {
    prompt: fromInt64(pricing.prompt),
    completion: fromInt64(pricing.completion),
    cachedPrompt: fromInt64(pricing.cachedPrompt),
    ...(cacheWrite === undefined ? {} : { cacheWrite: fromInt64(cacheWrite) }),
    ...(source === 'list' || source === 'default' ? { source } : {}),
  };
}

function fromInt64(text: string): Nano {
  return nano(BigInt(text));
}

/** Reports of no calls, and of kinds that this version does not know, are left out. */
export function fromProtoOutcomes(
  outcomes: readonly routingV1.ChannelOutcome__Output[],
): readonly CallSummary[] {
  return outcomes.flatMap((outcome): readonly CallSummary[] => {
    const kind = fromProtoName(CALL_OUTCOME_KINDS, 'OUTCOME_KIND', outcome.kind);
    if (kind === undefined || outcome.count < 1) return [];
    const { channelId, model, count, latencyMs, firstTokenMs, cooldownMs, detail } = outcome;
    const breaker = BREAKER_STATES.find((state) => state === outcome.breaker) ?? 'closed';
    const seen = { channelId, model, kind, count, latencyMs, firstTokenMs };
    return [{ ...seen, breaker, cooldownMs, detail }];
  });
}

const SELECTIONS: Readonly<Record<string, ChannelSelection>> = {
  CHANNEL_SELECTION_SHARED: 'shared',
  CHANNEL_SELECTION_OWNED_SELF_DISABLED: 'owned-auto-disabled',
};

export function fromProtoSelection(selection: string): ChannelSelection {
  return SELECTIONS[selection] ?? 'all';
}
