import { pageOf, pageQuery } from '../resources/page';
import { webhookSchema } from '../resources/webhook';
import type { OperationSchema } from '../route';

export const listWebhooksSchema = {
  summary: 'List the webhook endpoints of the account',
  query: pageQuery,
  data: pageOf(webhookSchema),
} as const satisfies OperationSchema;
