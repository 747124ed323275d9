import { z } from 'zod';
import { idParams } from '../resources/values';
import { webhookDescription, webhookEvents, webhookSchema, webhookUrl } from '../resources/webhook';
import type { OperationSchema } from '../route';

export const updateWebhookSchema = {
  summary: 'Change a webhook endpoint',
  params: idParams,
  body: z.strictObject({
    url: webhookUrl.optional(),
    events: webhookEvents.optional(),
    status: z.enum(['enabled', 'disabled']).optional(),
    description: webhookDescription.optional(),
  }),
  data: webhookSchema,
} as const satisfies OperationSchema;
