import { z } from 'zod';
import type { OperationSchema } from '../route';

export const listOAuthProvidersSchema = {
  summary: 'List the ways to sign in elsewhere',
  data: z.object({ items: z.array(z.object({ id: z.string(), name: z.string() })) }),
} as const satisfies OperationSchema;
