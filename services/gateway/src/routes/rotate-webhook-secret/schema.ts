import { z } from 'zod';
import { idParams } from '../resources/values';
import { webhookWithSecretSchema } from '../resources/webhook';
import type { OperationSchema } from '../route';

const GRACE_DEFAULT_S = 86_400;
const GRACE_MAX_S = 604_800;

export const rotateWebhookSecretSchema = {
  summary: 'Give a webhook endpoint a new signing secret',
  params: idParams,
  body: z.strictObject({
    grace_period_seconds: z
      .int()
      .min(0)
      .max(GRACE_MAX_S)
      .default(GRACE_DEFAULT_S)
      .meta({ description: 'How long deliveries are signed with both secrets.' }),
  }),
  data: webhookWithSecretSchema,
  idempotency: 'optional',
} as const satisfies OperationSchema;
