import { z } from 'zod';
import { ledgerItemSchema } from '../resources/ledger';
import { adjustmentText, idParams } from '../resources/values';
import type { OperationSchema } from '../route';

export const adjustBalanceSchema = {
  summary: 'Correct the balance of an account',
  params: idParams,
  body: z.strictObject({
    amount: adjustmentText,
    reason: z
      .string()
      .max(500)
      .regex(/\S/, 'must say why.')
      .meta({ description: 'Why; stands in the ledger as the note of the entry.' }),
  }),
  data: ledgerItemSchema,
  status: 201,
  idempotency: 'required',
} as const satisfies OperationSchema;
