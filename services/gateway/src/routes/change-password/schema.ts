import { z } from 'zod';
import { newPassword, presentedPassword } from '../resources/user';
import type { OperationSchema } from '../route';

export const changePasswordSchema = {
  summary: 'Change the password of the signed-in user',
  body: z.strictObject({ current_password: presentedPassword, new_password: newPassword }),
  data: z.object({ changed: z.literal(true) }),
  idempotency: 'optional',
} as const satisfies OperationSchema;
