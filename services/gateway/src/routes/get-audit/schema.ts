import { z } from 'zod';
import { amount, isoTime } from '../resources/values';
import type { OperationSchema } from '../route';

export const getAuditSchema = {
  summary: 'Check that every amount adds up',
  query: z.strictObject({ account_id: z.string().min(1).max(128).optional() }),
  data: z.object({
    ok: z.boolean(),
    drift: amount,
    accounts_checked: z.int(),
    absorbed: amount,
    overrun: amount,
    reserved: amount,
    findings: z.array(z.object({ account_id: z.string(), rule: z.string(), detail: z.string() })),
    checked_at: isoTime,
  }),
} as const satisfies OperationSchema;
