import { z } from 'zod';
import { displayName, email, password, userWithAccountSchema } from '../resources/user';
import type { OperationSchema } from '../route';

export const registerUserSchema = {
  summary: 'Register, where the operator has opened registration',
  body: z.strictObject({ email, password, display_name: displayName.optional() }),
  data: userWithAccountSchema,
  status: 201,
  idempotency: 'optional',
} as const satisfies OperationSchema;
