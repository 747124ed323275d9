import { z } from 'zod';
import { presentedPassword, sessionSchema } from '../resources/user';
import type { OperationSchema } from '../route';

export const logInSchema = {
  summary: 'Log in with email and password',
  body: z.strictObject({
    email: z.string().min(1).max(254),
    password: presentedPassword,
  }),
  data: sessionSchema,
  idempotency: { ignored: 'The answer holds tokens, which are not kept to be given out again.' },
} as const satisfies OperationSchema;
