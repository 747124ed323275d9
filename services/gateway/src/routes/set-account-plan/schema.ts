import { z } from 'zod';
import { accountSchema, planId } from '../resources/account';
import { idParams } from '../resources/values';
import type { OperationSchema } from '../route';

export const setAccountPlanSchema = {
  summary: 'Put an account on a plan',
  params: idParams,
  body: z.strictObject({ plan: planId }),
  data: accountSchema,
} as const satisfies OperationSchema;
