import { accountSchema } from '../resources/account';
import { idParams } from '../resources/values';
import type { OperationSchema } from '../route';

export const getAccountSchema = {
  summary: 'Get one account',
  params: idParams,
  data: accountSchema,
} as const satisfies OperationSchema;
