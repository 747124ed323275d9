import { z } from 'zod';
import { keySettingsSchema, newKeySchema } from '../resources/key';
import type { OperationSchema } from '../route';

export const createKeySchema = {
  summary: 'Create an API key',
  body: keySettingsSchema.extend({ name: z.string().min(1).max(128) }),
  data: newKeySchema,
  status: 201,
  idempotency: 'optional',
} as const satisfies OperationSchema;
