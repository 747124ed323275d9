import { idParams } from '../resources/values';
import { webhookSchema } from '../resources/webhook';
import type { OperationSchema } from '../route';

export const getWebhookSchema = {
  summary: 'Get one webhook endpoint',
  params: idParams,
  data: webhookSchema,
} as const satisfies OperationSchema;
