import { z } from 'zod';
import { sessionSchema } from '../resources/user';
import type { OperationSchema } from '../route';

export const exchangeOAuthCodeSchema = {
  summary: 'Exchange the one-time code of a sign-in for a session',
  body: z.strictObject({ code: z.string().min(1).max(512) }),
  data: sessionSchema,
  idempotency: { ignored: 'The answer holds tokens, which are not kept to be given out again.' },
} as const satisfies OperationSchema;
