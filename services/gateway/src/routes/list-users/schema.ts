import { z } from 'zod';
import { pageOf, pageQuery } from '../resources/page';
import { userSchema } from '../resources/user';
import type { OperationSchema } from '../route';

export const listUsersSchema = {
  summary: 'List users, of one account or of all',
  query: pageQuery.extend({ account_id: z.string().min(1).max(128).optional() }),
  data: pageOf(userSchema.extend({ account_id: z.string() })),
} as const satisfies OperationSchema;
