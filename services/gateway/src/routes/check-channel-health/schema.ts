import { z } from 'zod';
import { MODEL_NAME_LENGTH_MAX } from '../resources/catalogue-model';
import { idParams, isoTime } from '../resources/values';
import type { OperationSchema } from '../route';

export const checkChannelHealthSchema = {
  summary: 'Ask a channel for one token, charged to nobody',
  params: idParams,
  body: z.strictObject({
    model: z
      .string()
      .min(1)
      .max(MODEL_NAME_LENGTH_MAX)
      .optional()
      .meta({ description: "The channel's first model when absent." }),
  }),
  data: z.object({
    channel_id: z.string(),
    model: z.string(),
    healthy: z.boolean(),
    latency_ms: z.int().nullable(),
    first_token_ms: z.int().nullable(),
    http_status: z.int().nullable(),
    error: z.string().nullable(),
    checked_at: isoTime,
  }),
  idempotency: 'optional',
} as const satisfies OperationSchema;
