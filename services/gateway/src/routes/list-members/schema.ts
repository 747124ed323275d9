import { pageOf, pageQuery } from '../resources/page';
import { userSchema } from '../resources/user';
import type { OperationSchema } from '../route';

export const listMembersSchema = {
  summary: 'List the members of the account',
  query: pageQuery,
  data: pageOf(userSchema),
} as const satisfies OperationSchema;
