import { modelListSchema } from '../resources/model';
import type { OperationSchema } from '../route';

export const listModelsSchema = {
  summary: 'List the models that may be asked for',
  data: modelListSchema,
} as const satisfies OperationSchema;

/** The same list without an envelope, where client libraries look for it. */
export const listPlainModelsSchema = {
  ...listModelsSchema,
  summary: 'List the models, without an envelope',
  plain: true,
} as const satisfies OperationSchema;
