import { keySchema } from '../resources/key';
import { pageOf, pageQuery } from '../resources/page';
import type { OperationSchema } from '../route';

export const listKeysSchema = {
  summary: 'List the API keys of the account',
  query: pageQuery,
  data: pageOf(keySchema),
} as const satisfies OperationSchema;
