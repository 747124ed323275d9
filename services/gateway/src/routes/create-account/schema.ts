import { z } from 'zod';
import { accountSchema, planId } from '../resources/account';
import { personSchema, userSchema } from '../resources/user';
import { displayText } from '../resources/values';
import type { OperationSchema } from '../route';

export const createAccountSchema = {
  summary: 'Create an account and its owner',
  body: z.strictObject({
    name: displayText,
    plan: planId.default('free'),
    owner: personSchema,
  }),
  data: accountSchema.extend({ owner: userSchema }),
  status: 201,
  idempotency: 'optional',
} as const satisfies OperationSchema;
