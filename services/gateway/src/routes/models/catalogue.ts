import { AppError, MODEL_BOUNDS } from '@tollgate/core';
import type { routingV1 } from '@tollgate/protos';
import { toProtoModelKind } from '@tollgate/rpc';
import { z } from 'zod';
import { invalidField } from '../../http/errors';
import { amountText, fromAmount } from '../../money/amounts';
import { required } from '../asking/required';
import { operation, type Services } from '../operation';
import { toOperatorIdempotency } from '../payloads/idempotency';
import { deletedSchema, idParams, named, toDeleted } from '../payloads/values';
import {
  capabilityList,
  modelKind,
  modelListSchema,
  modelSchema,
  SHOWN_CAPABILITIES,
  toModel,
} from './models';

const modelDescription = z.string().max(MODEL_BOUNDS.descriptionLengthMax);
const tokenCount = z.int().min(1).max(MODEL_BOUNDS.tokensMax);
const currencyCode = z.string().length(3).meta({ pattern: '^[A-Z]{3}$' });

/** A model of the catalogue as operators see it. */
const catalogueModelSchema = named('CatalogueModel', {
  ...modelSchema.shape,
  price_source: z
    .enum(['operator', 'list', 'default'])
    .describe(
      "list: the vendor's published price, which may have changed; default: nobody set one yet.",
    ),
});

/** A catalogue entry as operators write it. */
const catalogueModelBody = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(MODEL_BOUNDS.nameLengthMax)
    .regex(MODEL_BOUNDS.name, 'must be lower-case letters, digits, dots, dashes and underscores.')
    .describe('Without a date or version suffix, and no routing name.'),
  kind: modelKind
    .optional()
    .describe(
      'chat when absent; a model keeps its own. One that is asked for embeddings has no completion: ' +
        'what is said of that has no meaning.',
    ),
  description: modelDescription.default(''),
  context_length: tokenCount,
  max_completion_tokens: tokenCount,
  pricing: z.strictObject({
    currency: currencyCode.optional(),
    prompt: amountText,
    completion: amountText,
    cached_prompt: amountText.optional().describe('The price of prompt tokens when absent.'),
    cache_write: amountText
      .optional()
      .describe(
        'Of prompt tokens that the vendor puts into its cache; the price of prompt tokens when absent.',
      ),
    per: z.literal('1M').default('1M'),
  }),
  capabilities: capabilityList.default([]).describe(SHOWN_CAPABILITIES),
});

/** One of a list of many. */
export const importedModel = catalogueModelBody.extend({
  pricing: catalogueModelBody.shape.pricing
    .optional()
    .describe(
      "When absent a new model has its vendor's published price, and one that exists keeps its own.",
    ),
});

const MODEL_RULES = {
  max_completion_tokens: 'is at most context_length',
  'pricing.currency': 'must be the one currency of this deployment',
  'pricing.cached_prompt': 'is at most the price of a prompt',
};

const PATHS_BESIDE_MODELS: readonly string[] = ['export', 'import'];
const TAKEN = `must not be ${PATHS_BESIDE_MODELS.join(' or ')}`;
export const NEW_MODEL_RULES = { ...MODEL_RULES, name: TAKEN };

/** Refuses the name of a new model whose path would lead elsewhere, so that nobody could change it. */
export function requireOwnPath(name: string): void {
  if (PATHS_BESIDE_MODELS.includes(name)) {
    throw invalidField('name', `${TAKEN}: /v1/admin/models/${name} is another path.`);
  }
}

/** The fields of an entry that may change, without the defaults of a whole one. */
const catalogueChangeSchema = z.strictObject({
  description: modelDescription.optional(),
  context_length: tokenCount.optional(),
  max_completion_tokens: tokenCount.optional(),
  pricing: z
    .strictObject({
      currency: currencyCode.optional(),
      prompt: amountText.optional(),
      completion: amountText.optional(),
      cached_prompt: amountText.optional(),
      cache_write: amountText.optional(),
      per: z.literal('1M').optional(),
    })
    .optional(),
  capabilities: capabilityList.optional().describe(SHOWN_CAPABILITIES),
});

/** The shared catalogue, whatever the operator's own account could use. */
export const listCatalogue = operation(
  {
    summary: 'List the model catalogue',
    data: modelListSchema.extend({ data: z.array(catalogueModelSchema) }),
  },
  async (_input, { routing }) => {
    const entries = await loadEntries(routing);
    return { data: { object: 'list' as const, data: entries.map(toCatalogueModel) } };
  },
);

export const getCatalogueModel = operation(
  {
    summary: 'Get one model of the catalogue',
    params: idParams,
    data: catalogueModelSchema,
  },
  async ({ params }, { routing }) => ({
    data: toCatalogueModel(await loadEntry(params.id, routing)),
  }),
);

/**
 * Fields that are left out keep their value. The entry is read and written whole: of two changes
 * at the same time the later one wins.
 */
export const updateCatalogueModel = operation(
  {
    summary: 'Change a model of the catalogue',
    params: idParams,
    body: catalogueChangeSchema,
    rules: MODEL_RULES,
    data: catalogueModelSchema,
  },
  async ({ params, body }, { routing }) => {
    const entry = await loadEntry(params.id, routing);
    const present = toModel(entry);
    const prices = required(present.pricing);
    const { pricing = {} } = body;
    // What costs as much as the prompt goes on doing so; a price of its own stays.
    const following = (price: string) =>
      price === prices.prompt ? (pricing.prompt ?? price) : price;
    // Who says nothing of prices has not set them.
    const source = body.pricing === undefined ? entry.pricing?.source : undefined;
    const { model } = await routing.putModel({
      model: toProtoModel(
        {
          name: params.id,
          description: body.description ?? present.description,
          context_length: body.context_length ?? present.context_length ?? 0,
          max_completion_tokens: body.max_completion_tokens ?? present.max_completion_tokens ?? 0,
          capabilities: body.capabilities ?? present.capabilities,
          pricing: {
            currency: pricing.currency ?? prices.currency,
            prompt: pricing.prompt ?? prices.prompt,
            completion: pricing.completion ?? prices.completion,
            cached_prompt: pricing.cached_prompt ?? following(prices.cached_prompt),
            cache_write: pricing.cache_write ?? following(prices.cache_write),
            per: prices.per,
          },
        },
        source,
      ),
      create: false,
    });
    return { data: toCatalogueModel(required(model)) };
  },
);

/** A name that exists already is a CONFLICT. */
export const createCatalogueModel = operation(
  {
    summary: 'Add a model to the catalogue',
    body: catalogueModelBody,
    rules: NEW_MODEL_RULES,
    data: catalogueModelSchema,
    status: 201,
    idempotency: 'optional',
  },
  async ({ principal, body, context }, { routing }) => {
    requireOwnPath(body.name);
    const { model, replayed } = await routing.putModel({
      model: toProtoModel(body),
      create: true,
      ...toOperatorIdempotency(principal, context.idempotency),
    });
    return { data: toCatalogueModel(required(model)), replayed };
  },
);

/** Requests, prices and receipts refer to a model by its name: it stays. */
export const replaceCatalogueModel = operation(
  {
    summary: 'Replace a model of the catalogue',
    params: idParams,
    body: catalogueModelBody.partial({ name: true }),
    rules: { ...MODEL_RULES, kind: 'is what it was', name: 'must be that of the path' },
    data: catalogueModelSchema,
  },
  async ({ params, body }, { routing }) => {
    if (body.name !== undefined && body.name !== params.id) {
      throw invalidField('name', 'a model keeps its name.');
    }
    const { model } = await routing.putModel({
      model: toProtoModel({ ...body, name: params.id }),
      create: false,
    });
    return { data: toCatalogueModel(required(model)) };
  },
);

export const deleteCatalogueModel = operation(
  {
    summary: 'Remove a model from the catalogue',
    params: idParams,
    data: deletedSchema,
  },
  async ({ params }, { routing }) => {
    await routing.deleteModel({ name: params.id });
    return { data: toDeleted(params.id) };
  },
);

/** Every model of the catalogue, as the model endpoints show it. */
export async function loadCatalogue(routing: Services['routing']) {
  return (await loadEntries(routing)).map((model) => toModel(model));
}

/** The shared catalogue as routing tells it, without routing names. */
export async function loadEntries(routing: Services['routing']) {
  const { models } = await routing.listModels({ accountId: '', grantedGroups: [] });
  return models.filter((model) => !model.routing);
}

async function loadEntry(id: string, routing: Services['routing']) {
  const found = (await loadEntries(routing)).find(({ name }) => name === id);
  if (found === undefined) throw new AppError('NOT_FOUND');
  return found;
}

function toCatalogueModel(model: routingV1.Model__Output): z.infer<typeof catalogueModelSchema> {
  const source = model.pricing?.source;
  const isUnset = source === 'list' || source === 'default';
  return { ...toModel(model), price_source: isUnset ? source : 'operator' };
}

/**
 * The entry as routing takes it; a changed price becomes a new version there, and a new model
 * without one has that of its vendor's list.
 */
export function toProtoModel(body: z.output<typeof importedModel>, source = ''): routingV1.Model {
  const { pricing } = body;
  return {
    name: body.name,
    ...(body.kind === undefined ? {} : { kind: toProtoModelKind(body.kind) }),
    description: body.description,
    contextLength: body.context_length,
    maxCompletionTokens: body.max_completion_tokens,
    pricing: pricing === undefined ? null : fromPricing(pricing, source),
    capabilities: body.capabilities,
  };
}

function fromPricing(
  pricing: z.output<typeof catalogueModelBody>['pricing'],
  source: string,
): routingV1.Pricing {
  return {
    currency: pricing.currency ?? '',
    prompt: fromAmount(pricing.prompt).toString(),
    completion: fromAmount(pricing.completion).toString(),
    cachedPrompt: fromAmount(pricing.cached_prompt ?? pricing.prompt).toString(),
    cacheWrite: fromAmount(pricing.cache_write ?? pricing.prompt).toString(),
    source,
  };
}
