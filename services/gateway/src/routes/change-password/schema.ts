import { z } from 'zod';
import { password } from '../resources/user';
import type { OperationSchema } from '../route';

export const changePasswordSchema = {
  summary: 'Change the password of the signed-in user',
  body: z.strictObject({ current_password: password, new_password: password }),
  data: z.object({ changed: z.literal(true) }),
  idempotency: 'optional',
} as const satisfies OperationSchema;
