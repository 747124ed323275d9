import { deletedSchema } from '../resources/deleted';
import { idParams } from '../resources/values';
import type { OperationSchema } from '../route';

export const removeMemberSchema = {
  summary: 'Remove a member from the account',
  params: idParams,
  data: deletedSchema,
} as const satisfies OperationSchema;
