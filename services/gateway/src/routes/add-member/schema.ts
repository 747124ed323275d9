import { z } from 'zod';
import { displayName, email, memberRole, password, userSchema } from '../resources/user';
import type { OperationSchema } from '../route';

export const addMemberSchema = {
  summary: 'Add a member to the account',
  body: z.strictObject({
    email,
    password,
    display_name: displayName.optional(),
    role: memberRole.default('member'),
  }),
  data: userSchema,
  status: 201,
  idempotency: 'optional',
} as const satisfies OperationSchema;
