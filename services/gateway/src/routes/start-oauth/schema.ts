import { z } from 'zod';
import type { OperationSchema } from '../route';

export const startOAuthSchema = {
  summary: 'Start signing in with a provider',
  query: z.strictObject({
    provider: z.string().min(1).max(64).optional(),
    redirect_to: z.string().min(1).max(2048).optional(),
  }),
  data: z.object({ authorization_url: z.string(), state: z.string() }),
  redirects: true,
} as const satisfies OperationSchema;
