import { personSchema, userWithAccountSchema } from '../resources/user';
import type { OperationSchema } from '../route';

export const registerUserSchema = {
  summary: 'Register, where the operator has opened registration',
  body: personSchema,
  data: userWithAccountSchema,
  status: 201,
  idempotency: 'optional',
} as const satisfies OperationSchema;
