import { z } from 'zod';
import { CHAT_BOUNDS } from '../shared-fields';

/** Bounds of a request for vectors; its body has that of all completions besides. */
export const EMBEDDING_BOUNDS = { inputsMax: 2048, dimensionsMax: 65_536 } as const;

export const ENCODINGS = ['float', 'base64'] as const;

/** `POST /v1/embeddings`; request.ts checks the same. */
export const embeddingsRequestSchema = z.strictObject({
  model: z
    .string()
    .min(1)
    .max(CHAT_BOUNDS.modelLengthMax)
    .describe('The name of a model whose kind is embedding, or POOL:NAME.'),
  input: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1).max(EMBEDDING_BOUNDS.inputsMax)])
    .describe('Each text has a vector; tokens of a vendor are not taken.'),
  encoding_format: z.enum(ENCODINGS).nullish().describe('float when absent.'),
  dimensions: z
    .int()
    .min(1)
    .max(EMBEDDING_BOUNDS.dimensionsMax)
    .nullish()
    .describe('Numbers of each vector, where the model lets one choose.'),
  user: z.string().max(CHAT_BOUNDS.userLengthMax).nullish(),
});

/** The vectors in the order of the texts. */
export const embeddingsSchema = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({
      object: z.literal('embedding'),
      index: z.int(),
      embedding: z
        .union([z.array(z.number()), z.string()])
        .describe('Numbers; with base64 their 32-bit floats, least significant byte first.'),
    }),
  ),
  model: z.string(),
  usage: z.object({ prompt_tokens: z.int(), total_tokens: z.int() }),
});
