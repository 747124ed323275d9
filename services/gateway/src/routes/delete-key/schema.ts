import { deletedSchema } from '../resources/deleted';
import { idParams } from '../resources/values';
import type { OperationSchema } from '../route';

export const deleteKeySchema = {
  summary: 'Revoke an API key at once',
  params: idParams,
  data: deletedSchema,
} as const satisfies OperationSchema;
