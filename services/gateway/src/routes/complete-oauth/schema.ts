import { z } from 'zod';
import { sessionSchema } from '../resources/user';
import type { OperationSchema } from '../route';

export const completeOAuthSchema = {
  summary: 'Where providers send people back',
  // Providers add parameters of their own.
  query: z.looseObject({ state: z.string().min(1).max(1024) }),
  data: sessionSchema,
  redirects: true,
} as const satisfies OperationSchema;
