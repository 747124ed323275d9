import { memberRole, personSchema, userSchema } from '../resources/user';
import type { OperationSchema } from '../route';

export const addMemberSchema = {
  summary: 'Add a member to the account',
  body: personSchema.extend({ role: memberRole.default('member') }),
  data: userSchema,
  status: 201,
  idempotency: 'optional',
} as const satisfies OperationSchema;
