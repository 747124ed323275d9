import { z } from 'zod';
import { sessionSchema } from '../resources/user';
import type { OperationSchema } from '../route';

export const refreshSessionSchema = {
  summary: 'Exchange a refresh token for a new session',
  body: z.strictObject({ refresh_token: z.string().min(1).max(1024) }),
  data: sessionSchema,
  idempotency: { ignored: 'The answer holds tokens, which are not kept to be given out again.' },
} as const satisfies OperationSchema;
