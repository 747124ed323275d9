import { z } from 'zod';
import { accountName, accountSchema, accountStatus } from '../resources/account';
import { idParams } from '../resources/values';
import type { OperationSchema } from '../route';

export const updateAccountSchema = {
  summary: 'Rename, suspend or reactivate an account',
  params: idParams,
  body: z.strictObject({ name: accountName.optional(), status: accountStatus.optional() }),
  data: accountSchema,
} as const satisfies OperationSchema;
