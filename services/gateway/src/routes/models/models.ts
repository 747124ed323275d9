import { AppError, CAPABILITIES_MAX, CAPABILITY, fromIsoTime, MODEL_KINDS } from '@tollgate/core';
import type { routingV1 } from '@tollgate/protos';
import { fromProtoModelKind } from '@tollgate/rpc';
import { z } from 'zod';
import { type Principal, usableGroups } from '../../auth/principal';
import { accountModelsOf } from '../../chat/request';
import { priceFields, toPrices } from '../../money/prices';
import { type Operation, operation, type Services } from '../operation';
import { idParams, named } from '../payloads/values';

/** What a model's list is for: requests go by those of its channels. */
export const SHOWN_CAPABILITIES =
  'What customers are shown of it; whether a request that needs one is taken, its channels say.';

/** Abilities of a model or a channel beyond text. */
export const capabilityList = z
  .array(z.string().regex(CAPABILITY, 'must be a lower-case word such as tools.'))
  .max(CAPABILITIES_MAX);

export const modelKind = z.enum(MODEL_KINDS);

/** Prices per 1M tokens. */
export const pricingSchema = named('Pricing', {
  currency: z.string(),
  ...priceFields,
  per: z.literal('1M'),
});

/** A model as the model endpoints show it. */
export const modelSchema = named('Model', {
  id: z.string(),
  object: z.literal('model'),
  created: z.int().describe('Unix seconds.'),
  owned_by: z.string(),
  name: z.string(),
  kind: modelKind.describe('embedding: POST /v1/embeddings asks it.'),
  description: z.string(),
  context_length: z.int().nullable(),
  max_completion_tokens: z.int().nullable(),
  pricing: pricingSchema.nullable(),
  capabilities: z.array(z.string()).describe(SHOWN_CAPABILITIES),
  routing: z.boolean().describe('True for names that let the service choose.'),
  available: z.boolean(),
});

export const modelListSchema = named('ModelList', {
  object: z.literal('list'),
  data: z.array(modelSchema),
});

/** The catalogue as the principal may use it. */
export const listModels = operation(
  { summary: 'List the models that may be asked for', data: modelListSchema },
  async ({ principal }, services) => {
    const data = await loadVisibleModels(principal, services);
    return { data: { object: 'list', data } };
  },
);

/** The same list without an envelope, where client libraries look for it. */
export const listPlainModels: Operation = {
  ...listModels,
  schema: {
    ...listModels.schema,
    summary: 'List the models, without an envelope',
    withoutEnvelope: true,
  },
};

/** One model of the list, or 404 for what is not in it. */
export const getModel = operation(
  {
    summary: 'Get one model, without an envelope',
    params: idParams,
    data: modelSchema,
    withoutEnvelope: true,
  },
  async ({ principal, params }, services) => {
    const models = await loadVisibleModels(principal, services);
    const found = models.find(({ name }) => name === params.id);
    if (found === undefined) {
      throw new AppError('NOT_FOUND', {
        publicMessage: 'This model does not exist.',
        param: 'model',
      });
    }
    return { data: found };
  },
);

/** Models that key and account may use, and the routing names, at the account's prices. */
async function loadVisibleModels(
  principal: Principal,
  { routing, plans }: Pick<Services, 'routing' | 'plans'>,
): Promise<readonly z.infer<typeof modelSchema>[]> {
  const { accountId, models: ofKey, terms } = principal;
  const plan = await plans.planOf(principal.plan);
  const grantedGroups = usableGroups(principal, plan);
  const { models } = await routing.listModels({ accountId, grantedGroups });
  const ofAccount = accountModelsOf(principal, plan);
  const isAllowed = (name: string) =>
    [ofKey, ofAccount].every((list) => list.length === 0 || list.includes(name));
  return models
    .filter(({ name, routing: isRouting }) => isRouting || isAllowed(name))
    .map((model) => toModel(model, terms.discount));
}

/** Routing names have no price of their own: what they choose has. */
export function toModel(model: routingV1.Model__Output, discount = 0): z.infer<typeof modelSchema> {
  return {
    id: model.name,
    object: 'model',
    created: Math.floor((fromIsoTime(model.createdAt) ?? 0) / 1000),
    owned_by: model.ownedBy,
    name: model.name,
    kind: fromProtoModelKind(model.kind) ?? 'chat',
    description: model.description,
    context_length: model.contextLength === 0 ? null : model.contextLength,
    max_completion_tokens: model.maxCompletionTokens === 0 ? null : model.maxCompletionTokens,
    pricing: model.pricing === null ? null : toPricing(model.pricing, discount),
    capabilities: model.capabilities,
    routing: model.routing,
    available: model.available,
  };
}

/** Prices less a discount in hundredths of a percent. */
export function toPricing(
  { currency, ...pricing }: routingV1.Pricing__Output,
  discount = 0,
): z.infer<typeof pricingSchema> {
  return { currency, ...toPrices(pricing, discount), per: '1M' };
}
