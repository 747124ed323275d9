import { deletedSchema } from '../resources/deleted';
import { idParams } from '../resources/values';
import type { OperationSchema } from '../route';

export const deleteChannelSchema = {
  summary: 'Delete a channel',
  params: idParams,
  data: deletedSchema,
} as const satisfies OperationSchema;
