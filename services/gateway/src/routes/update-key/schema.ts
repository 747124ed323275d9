import { z } from 'zod';
import { keySchema, keySettingsSchema } from '../resources/key';
import { idParams } from '../resources/values';
import type { OperationSchema } from '../route';

export const updateKeySchema = {
  summary: 'Change the settings of an API key',
  params: idParams,
  body: keySettingsSchema.extend({ status: z.enum(['active', 'disabled']).optional() }),
  data: keySchema,
} as const satisfies OperationSchema;
