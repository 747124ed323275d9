import { z } from 'zod';
import { newKeySchema } from '../resources/key';
import { idParams } from '../resources/values';
import type { OperationSchema } from '../route';

const GRACE_DEFAULT_S = 86_400;
const GRACE_MAX_S = 604_800;

export const rotateKeySchema = {
  summary: 'Give an API key a new secret',
  params: idParams,
  body: z.strictObject({
    grace_period_seconds: z
      .int()
      .min(0)
      .max(GRACE_MAX_S)
      .default(GRACE_DEFAULT_S)
      .meta({ description: 'How long the old secret keeps working; 0 ends it at once.' }),
  }),
  data: newKeySchema,
  idempotency: 'optional',
} as const satisfies OperationSchema;
