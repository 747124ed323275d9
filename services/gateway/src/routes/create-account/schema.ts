import { z } from 'zod';
import { accountName, accountSchema, planId } from '../resources/account';
import { displayName, email, password, userSchema } from '../resources/user';
import type { OperationSchema } from '../route';

export const createAccountSchema = {
  summary: 'Create an account and its owner',
  body: z.strictObject({
    name: accountName,
    plan: planId.default('free'),
    owner: z.strictObject({ email, password, display_name: displayName.optional() }).optional(),
  }),
  data: accountSchema.extend({ owner: userSchema.nullable() }),
  status: 201,
  idempotency: 'optional',
} as const satisfies OperationSchema;
