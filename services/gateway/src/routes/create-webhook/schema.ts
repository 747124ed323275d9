import { z } from 'zod';
import {
  webhookDescription,
  webhookEvents,
  webhookUrl,
  webhookWithSecretSchema,
} from '../resources/webhook';
import type { OperationSchema } from '../route';

export const createWebhookSchema = {
  summary: 'Create a webhook endpoint',
  body: z.strictObject({
    url: webhookUrl,
    events: webhookEvents,
    description: webhookDescription.default(''),
  }),
  data: webhookWithSecretSchema,
  status: 201,
  idempotency: 'optional',
} as const satisfies OperationSchema;
