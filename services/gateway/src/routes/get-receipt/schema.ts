import { z } from 'zod';
import { amount, isoTime } from '../resources/values';
import type { OperationSchema } from '../route';

export const getReceiptSchema = {
  summary: 'Show how one request was charged',
  params: z.object({ request_id: z.string() }),
  data: z.object({
    request_id: z.string(),
    client_request_id: z.string().nullable(),
    seq: z.int(),
    key_id: z.string(),
    model: z.string(),
    requested_model: z.string(),
    reserve: amount.meta({ description: 'Held back before the request began.' }),
    settle: amount.meta({ description: 'Charged.' }),
    release: amount.meta({ description: 'Given back.' }),
    price_version: z.int(),
    prices: z.object({ prompt: amount, completion: amount, cached_prompt: amount }),
    prompt_tokens: z.int(),
    completion_tokens: z.int(),
    cached_tokens: z.int(),
    source: z.string().meta({ description: 'exact, counted, partial or none.' }),
    end_reason: z.string(),
    status: z.string(),
    error_code: z.string().nullable(),
    settled_reason: z.string(),
    stream: z.boolean(),
    started_at: isoTime,
    ended_at: isoTime,
    settled_at: isoTime,
  }),
} as const satisfies OperationSchema;
