import { catalogueModelSchema } from '../resources/catalogue-model';
import { modelSchema } from '../resources/model';
import { idParams } from '../resources/values';
import type { OperationSchema } from '../route';

export const updateCatalogueModelSchema = {
  summary: 'Replace a model of the catalogue',
  params: idParams,
  body: catalogueModelSchema.partial({ name: true }),
  data: modelSchema,
} as const satisfies OperationSchema;
