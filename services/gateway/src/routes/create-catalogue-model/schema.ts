import { catalogueModelSchema } from '../resources/catalogue-model';
import { modelSchema } from '../resources/model';
import type { OperationSchema } from '../route';

export const createCatalogueModelSchema = {
  summary: 'Add a model to the catalogue',
  body: catalogueModelSchema,
  data: modelSchema,
  status: 201,
  idempotency: 'optional',
} as const satisfies OperationSchema;
