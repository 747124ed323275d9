import { userWithAccountSchema } from '../resources/user';
import type { OperationSchema } from '../route';

export const getCurrentUserSchema = {
  summary: 'Get the signed-in user',
  data: userWithAccountSchema,
} as const satisfies OperationSchema;
