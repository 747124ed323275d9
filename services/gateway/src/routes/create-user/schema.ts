import { z } from 'zod';
import { memberRole, personSchema, userWithAccountSchema } from '../resources/user';
import type { OperationSchema } from '../route';

export const createUserSchema = {
  summary: 'Create a user in an account, or with a new account',
  body: personSchema.extend({
    account_id: z.string().min(1).max(128).optional(),
    role: memberRole.optional(),
  }),
  data: userWithAccountSchema,
  status: 201,
  idempotency: 'optional',
} as const satisfies OperationSchema;
