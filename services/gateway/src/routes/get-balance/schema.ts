import { z } from 'zod';
import { amount, isoTime } from '../resources/values';
import type { OperationSchema } from '../route';

export const getBalanceSchema = {
  summary: 'Get the balance of the account',
  data: z.object({
    account_id: z.string(),
    currency: z.string(),
    balance: amount.meta({ description: 'total_credits less total_usage.' }),
    reserved: amount.meta({ description: 'Held for requests that run or may come next.' }),
    available: amount.meta({ description: 'balance less reserved.' }),
    total_credits: amount.meta({
      description: 'Every credit, with every adjustment since added or taken off.',
    }),
    total_usage: amount.meta({ description: 'Every charge.' }),
    plan: z.string(),
    updated_at: isoTime.nullable(),
  }),
} as const satisfies OperationSchema;
