import { deletedSchema } from '../resources/deleted';
import { idParams } from '../resources/values';
import type { OperationSchema } from '../route';

export const deleteWebhookSchema = {
  summary: 'Delete a webhook endpoint',
  params: idParams,
  data: deletedSchema,
} as const satisfies OperationSchema;
