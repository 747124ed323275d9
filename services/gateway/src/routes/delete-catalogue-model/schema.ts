import { deletedSchema } from '../resources/deleted';
import { idParams } from '../resources/values';
import type { OperationSchema } from '../route';

export const deleteCatalogueModelSchema = {
  summary: 'Remove a model from the catalogue',
  params: idParams,
  data: deletedSchema,
} as const satisfies OperationSchema;
