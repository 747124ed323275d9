import { z } from 'zod';
import { chatRequestSchema } from '../create-chat-completion/schema';
import { amount } from '../resources/values';
import type { OperationSchema } from '../route';

export const explainRouteSchema = {
  summary: 'Rank the channels for a completion without calling any',
  body: chatRequestSchema,
  chatSized: true,
  data: z.object({
    model: z.string(),
    candidates: z.array(
      z.object({
        rank: z.int(),
        model: z.string(),
        eligible: z.boolean(),
        reasons: z.array(z.string()),
        estimated_amount: amount,
        channel: z
          .object({ id: z.string(), name: z.string() })
          .nullable()
          .meta({ description: 'For operators only.' }),
      }),
    ),
  }),
  idempotency: { ignored: 'It changes nothing.' },
} as const satisfies OperationSchema;
