import { z } from 'zod';
import { presentedRefreshToken, sessionSchema } from '../resources/user';
import type { OperationSchema } from '../route';

export const refreshSessionSchema = {
  summary: 'Exchange a refresh token for a new session',
  body: z.strictObject({ refresh_token: presentedRefreshToken }),
  data: sessionSchema,
  idempotency: { ignored: 'The answer holds tokens, which are not kept to be given out again.' },
} as const satisfies OperationSchema;
