import { modelListSchema } from '../resources/model';
import type { OperationSchema } from '../route';

export const listCatalogueSchema = {
  summary: 'List the model catalogue',
  data: modelListSchema,
} as const satisfies OperationSchema;
