import type { routingV1 } from '@tollgate/protos';
import { z } from 'zod';
import { amountText, capabilityList, fromAmount } from './values';

export const MODEL_NAME_LENGTH_MAX = 100;
const MODEL_NAME = /^[a-z0-9][a-z0-9._-]*$/;
const DESCRIPTION_LENGTH_MAX = 1000;
const TOKENS_MAX = 100_000_000;

/** A catalogue entry as operators write it. */
export const catalogueModelSchema = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(MODEL_NAME_LENGTH_MAX)
    .regex(MODEL_NAME, 'must be lower-case letters, digits, dots, dashes and underscores.')
    .meta({ description: 'Without a date or version suffix, and no routing name.' }),
  description: z.string().max(DESCRIPTION_LENGTH_MAX).default(''),
  context_length: z.int().min(1).max(TOKENS_MAX),
  max_completion_tokens: z.int().min(1).max(TOKENS_MAX),
  pricing: z.strictObject({
    currency: z.string().length(3).optional(),
    prompt: amountText,
    completion: amountText,
    cached_prompt: amountText
      .optional()
      .meta({ description: 'The price of prompt tokens when absent.' }),
    per: z.literal('1M').default('1M'),
  }),
  capabilities: capabilityList.default([]),
});

/** The entry as routing takes it; a changed price becomes a new version there. */
export function toCatalogueModel(body: z.output<typeof catalogueModelSchema>): routingV1.Model {
  const { pricing } = body;
  return {
    name: body.name,
    description: body.description,
    contextLength: body.context_length,
    maxCompletionTokens: body.max_completion_tokens,
    pricing: {
      currency: pricing.currency ?? '',
      prompt: fromAmount(pricing.prompt).toString(),
      completion: fromAmount(pricing.completion).toString(),
      cachedPrompt: fromAmount(pricing.cached_prompt ?? pricing.prompt).toString(),
    },
    capabilities: body.capabilities,
  };
}
