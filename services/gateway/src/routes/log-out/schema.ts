import { z } from 'zod';
import { presentedRefreshToken } from '../resources/user';
import type { OperationSchema } from '../route';

export const logOutSchema = {
  summary: 'End this session, or all sessions of the user',
  body: z.strictObject({
    all_sessions: z.boolean().default(false),
    refresh_token: presentedRefreshToken
      .optional()
      .meta({ description: 'Names the session in place of an access token, which may be over.' }),
  }),
  data: z.object({ logged_out: z.literal(true) }),
  idempotency: { ignored: 'A session that has ended ends no second time.' },
} as const satisfies OperationSchema;
