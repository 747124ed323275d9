import { AppError } from '@tollgate/core';
import type { routingV1 } from '@tollgate/protos';
import { z } from 'zod';
import { refuse } from '../http/errors';
import { toOperatorIdempotency } from './actor';
import {
  catalogueModelBody,
  currencyCode,
  MODEL_RULES,
  modelDescription,
  modelListSchema,
  modelSchema,
  toCatalogueModel,
  tokenCount,
  toModel,
} from './models';
import { type OperationContext, operation, type Services } from './operation';
import {
  amountText,
  capabilityList,
  deletedSchema,
  idParams,
  named,
  required,
  toDeleted,
} from './values';

/** A model of the catalogue as operators see it. */
const catalogueModelSchema = named('CatalogueModel', {
  ...modelSchema.shape,
  price_source: z.enum(['operator', 'list', 'default']).meta({
    description:
      "list: the vendor's published price, which may have changed; default: nobody set one yet.",
  }),
});

/** The members of an entry that may change, without the defaults of a whole one. */
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
  capabilities: capabilityList.optional(),
});

/** The shared catalogue, whatever the operator's own account could use. */
export const listCatalogue = operation(
  {
    summary: 'List the model catalogue',
    data: modelListSchema.extend({ data: z.array(catalogueModelSchema) }),
  },
  async ({ context }, { routing }) => {
    const entries = await loadEntries(routing, context.rpc);
    return { data: { object: 'list' as const, data: entries.map(toCatalogueEntry) } };
  },
);

export const getCatalogueModel = operation(
  {
    summary: 'Get one model of the catalogue',
    params: idParams,
    data: catalogueModelSchema,
  },
  async ({ params, context }, { routing }) => ({
    data: toCatalogueEntry(await loadEntry(params.id, routing, context.rpc)),
  }),
);

/**
 * Members that are left out keep their value. The entry is read and written whole: of two changes
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
  async ({ params, body, context }, { routing }) => {
    const entry = await loadEntry(params.id, routing, context.rpc);
    const present = toModel(entry);
    const prices = required(present.pricing);
    const { pricing = {} } = body;
    // What costs as much as the prompt goes on doing so; a price of its own stays.
    const following = (price: string) =>
      price === prices.prompt ? (pricing.prompt ?? price) : price;
    // Who says nothing of prices has not set them.
    const source = body.pricing === undefined ? entry.pricing?.source : undefined;
    const { model } = await routing.putModel(
      {
        model: toCatalogueModel(
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
      },
      context.rpc,
    );
    return { data: toCatalogueEntry(required(model)) };
  },
);

/** A name that exists already is a CONFLICT. */
export const createCatalogueModel = operation(
  {
    summary: 'Add a model to the catalogue',
    body: catalogueModelBody,
    rules: MODEL_RULES,
    data: catalogueModelSchema,
    status: 201,
    idempotency: 'optional',
  },
  async ({ principal, body, context }, { routing }) => {
    const { model, replayed } = await routing.putModel(
      {
        model: toCatalogueModel(body),
        create: true,
        ...toOperatorIdempotency(principal, context.idempotency),
      },
      context.rpc,
    );
    return { data: toCatalogueEntry(required(model)), replayed };
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
  async ({ params, body, context }, { routing }) => {
    if (body.name !== undefined && body.name !== params.id) {
      throw refuse('name', 'a model keeps its name.');
    }
    const { model } = await routing.putModel(
      { model: toCatalogueModel({ ...body, name: params.id }), create: false },
      context.rpc,
    );
    return { data: toCatalogueEntry(required(model)) };
  },
);

export const deleteCatalogueModel = operation(
  {
    summary: 'Remove a model from the catalogue',
    params: idParams,
    data: deletedSchema,
  },
  async ({ params, context }, { routing }) => {
    await routing.deleteModel({ name: params.id }, context.rpc);
    return { data: toDeleted(params.id) };
  },
);

/** Every model of the catalogue, as the model endpoints show it. */
export async function loadCatalogue(routing: Services['routing'], rpc: OperationContext['rpc']) {
  return (await loadEntries(routing, rpc)).map((model) => toModel(model));
}

/** The shared catalogue as routing tells it, without routing names. */
export async function loadEntries(routing: Services['routing'], rpc: OperationContext['rpc']) {
  const { models } = await routing.listModels({ accountId: '', grantedGroups: [] }, rpc);
  return models.filter((model) => !model.routing);
}

async function loadEntry(id: string, routing: Services['routing'], rpc: OperationContext['rpc']) {
  const found = (await loadEntries(routing, rpc)).find(({ name }) => name === id);
  if (found === undefined) throw new AppError('NOT_FOUND');
  return found;
}

function toCatalogueEntry(model: routingV1.Model__Output): z.infer<typeof catalogueModelSchema> {
  const source = model.pricing?.source;
  const isUnset = source === 'list' || source === 'default';
  return { ...toModel(model), price_source: isUnset ? source : 'operator' };
}
