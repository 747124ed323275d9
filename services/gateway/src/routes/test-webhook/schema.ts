import { idParams, noMembers } from '../resources/values';
import { deliverySchema } from '../resources/webhook';
import type { OperationSchema } from '../route';

export const testWebhookSchema = {
  summary: 'Send a test event to a webhook endpoint',
  params: idParams,
  body: noMembers,
  data: deliverySchema,
  idempotency: 'optional',
} as const satisfies OperationSchema;
