import { z } from 'zod';
import { accountSchema, accountStatus } from '../resources/account';
import { displayText, idParams } from '../resources/values';
import type { OperationSchema } from '../route';

export const updateAccountSchema = {
  summary: 'Rename, suspend or reactivate an account',
  params: idParams,
  body: z.strictObject({ name: displayText.optional(), status: accountStatus.optional() }),
  data: accountSchema,
} as const satisfies OperationSchema;
