import { keySettingsSchema, newKeySchema } from '../resources/key';
import { displayText } from '../resources/values';
import type { OperationSchema } from '../route';

export const createKeySchema = {
  summary: 'Create an API key',
  body: keySettingsSchema.extend({ name: displayText }),
  data: newKeySchema,
  status: 201,
  idempotency: 'optional',
} as const satisfies OperationSchema;
