import { MODEL_KINDS } from '@tollgate/core';
import { fromProtoModelKind, toProtoChannelType } from '@tollgate/rpc';
import { z } from 'zod';
import { loadEntries } from '../models/catalogue';
import { pricingSchema, toPricing } from '../models/models';
import { operation } from '../operation';
import { HTTP_URL, HTTP_URL_RULE, named, textOrNull } from '../payloads/values';
import { channelType, credential, VENDOR_DEADLINE_MS } from './channels';

export const discoverModels = operation(
  {
    summary: 'Ask a vendor for its models, before there is a channel; nothing is kept',
    body: z.strictObject({
      type: channelType,
      base_url: z.string().min(1).max(2048).meta({ pattern: HTTP_URL }),
      credential: credential.optional(),
    }),
    rules: { base_url: HTTP_URL_RULE },
    data: named('DiscoveredModels', {
      models: z.array(
        z.object({
          name: z.string().describe("The vendor's own name of it."),
          kind: z
            .enum([...MODEL_KINDS, 'other'])
            .describe('other: of sound, pictures and the like, or not asked by chat completions.'),
          context_length: z.int().nullable().describe('null if nobody told it.'),
          max_completion_tokens: z.int().nullable().describe('null if nobody told it.'),
          in_catalogue: z.boolean().describe('A model of the catalogue has the name.'),
          list_price: pricingSchema
            .nullable()
            .describe("The vendor's published price, which may have changed; null if unknown."),
        }),
      ),
      http_status: z.int().nullable().describe('null when there was no answer.'),
      error: z.string().nullable().describe('Why there is no list.'),
    }),
    idempotency: { ignored: 'Asking a vendor changes nothing.' },
  },
  async ({ body }, { routing }) => {
    const {
      names,
      httpStatus,
      error,
      listPrices,
      models: listed,
    } = await routing.discoverModels(
      {
        type: toProtoChannelType(body.type),
        baseUrl: body.base_url,
        credential: body.credential ?? '',
      },
      { deadlineMs: VENDOR_DEADLINE_MS },
    );
    const known = new Set((await loadEntries(routing)).map(({ name }) => name));
    const told = new Map(listed.map((model) => [model.name, model]));
    const prices = new Map(listPrices.map(({ model, pricing }) => [model, pricing]));
    return {
      data: {
        models: names.map((name) => {
          const price = prices.get(name) ?? null;
          const model = told.get(name);
          return {
            name,
            kind: model === undefined ? 'chat' : (fromProtoModelKind(model.kind) ?? 'other'),
            context_length: model?.contextLength ?? null,
            max_completion_tokens: model?.maxCompletionTokens ?? null,
            in_catalogue: known.has(name),
            list_price: price === null ? null : toPricing(price),
          };
        }),
        http_status: httpStatus ?? null,
        error: textOrNull(error),
      },
    };
  },
);
