import { fromIsoTime } from '@tollgate/core';
import type { routingV1 } from '@tollgate/protos';
import { z } from 'zod';
import { amount, toAmount } from './values';

/** Prices per 1M tokens. */
export const pricingSchema = z.object({
  currency: z.string(),
  prompt: amount,
  completion: amount,
  cached_prompt: amount,
  per: z.literal('1M'),
});

/** A model as the model endpoints show it. */
export const modelSchema = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.int().meta({ description: 'Unix seconds.' }),
  owned_by: z.string(),
  name: z.string(),
  description: z.string(),
  context_length: z.int().nullable(),
  max_completion_tokens: z.int().nullable(),
  pricing: pricingSchema.nullable(),
  capabilities: z.array(z.string()),
  routing: z.boolean().meta({ description: 'True for names that let the service choose.' }),
  available: z.boolean(),
});

export const modelListSchema = z.object({
  object: z.literal('list'),
  data: z.array(modelSchema),
});

/** Routing names have no price of their own: what they choose has. */
export function toModel(model: routingV1.Model__Output): z.infer<typeof modelSchema> {
  return {
    id: model.name,
    object: 'model',
    created: Math.floor((fromIsoTime(model.createdAt) ?? 0) / 1000),
    owned_by: model.ownedBy,
    name: model.name,
    description: model.description,
    context_length: model.contextLength === 0 ? null : model.contextLength,
    max_completion_tokens: model.maxCompletionTokens === 0 ? null : model.maxCompletionTokens,
    pricing: model.pricing === null ? null : toPricing(model.pricing),
    capabilities: model.capabilities,
    routing: model.routing,
    available: model.available,
  };
}

function toPricing(pricing: routingV1.Pricing__Output): z.infer<typeof pricingSchema> {
  return {
    currency: pricing.currency,
    prompt: toAmount(pricing.prompt),
    completion: toAmount(pricing.completion),
    cached_prompt: toAmount(pricing.cachedPrompt),
    per: '1M',
  };
}

/** A key that is bound to models sees those and the routing names. */
export function visibleModels(
  models: readonly routingV1.Model__Output[],
  allowed: readonly string[],
): readonly routingV1.Model__Output[] {
  if (allowed.length === 0) return models;
  return models.filter((model) => model.routing || allowed.includes(model.name));
}
