import { z } from 'zod';
import { displayName, email, memberRole, password, userWithAccountSchema } from '../resources/user';
import type { OperationSchema } from '../route';

export const createUserSchema = {
  summary: 'Create a user in an account, or with a new account',
  body: z.strictObject({
    email,
    password,
    display_name: displayName.optional(),
    account_id: z.string().min(1).max(128).optional(),
    role: memberRole.optional(),
  }),
  data: userWithAccountSchema,
  status: 201,
  idempotency: 'optional',
} as const satisfies OperationSchema;
