import { keySchema } from '../resources/key';
import { idParams } from '../resources/values';
import type { OperationSchema } from '../route';

export const getKeySchema = {
  summary: 'Get one API key',
  params: idParams,
  data: keySchema,
} as const satisfies OperationSchema;
