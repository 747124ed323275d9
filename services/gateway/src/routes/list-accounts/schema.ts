import { accountSchema } from '../resources/account';
import { pageOf, pageQuery } from '../resources/page';
import type { OperationSchema } from '../route';

export const listAccountsSchema = {
  summary: 'List all accounts',
  query: pageQuery,
  data: pageOf(accountSchema),
} as const satisfies OperationSchema;
