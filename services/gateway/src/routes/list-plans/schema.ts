import { z } from 'zod';
import { amount } from '../resources/values';
import type { OperationSchema } from '../route';

const plan = z.object({
  id: z.string(),
  name: z.string(),
  requests_per_minute: z.int().nullable().meta({ description: 'null is unlimited.' }),
  requests_per_day: z.int().nullable(),
  concurrent_requests: z.int().nullable(),
  price: z.object({ amount, currency: z.string(), period: z.string() }),
  included_credit: amount,
});

export const listPlansSchema = {
  summary: 'List the plans and their limits',
  data: z.object({ items: z.array(plan), current: z.string() }),
} as const satisfies OperationSchema;
