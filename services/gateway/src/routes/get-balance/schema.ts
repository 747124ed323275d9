import { z } from 'zod';
import { amount, isoTime } from '../resources/values';
import type { OperationSchema } from '../route';

export const getBalanceSchema = {
  summary: 'Get the balance of the account',
  data: z.object({
    account_id: z.string(),
    currency: z.string(),
    balance: amount,
    reserved: amount,
    available: amount.meta({ description: 'balance less reserved.' }),
    total_credits: amount,
    total_usage: amount,
    plan: z.string(),
    updated_at: isoTime.nullable(),
  }),
} as const satisfies OperationSchema;
