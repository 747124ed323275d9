import { modelSchema } from '../resources/model';
import { idParams } from '../resources/values';
import type { OperationSchema } from '../route';

export const getModelSchema = {
  summary: 'Get one model, without an envelope',
  params: idParams,
  data: modelSchema,
  plain: true,
} as const satisfies OperationSchema;
