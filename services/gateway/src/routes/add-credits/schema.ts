import { z } from 'zod';
import { ledgerItemSchema } from '../resources/ledger';
import { idParams, positiveAmountText } from '../resources/values';
import type { OperationSchema } from '../route';

export const addCreditsSchema = {
  summary: 'Grant credit to an account',
  params: idParams,
  body: z.strictObject({
    amount: positiveAmountText,
    note: z.string().max(500).default(''),
  }),
  data: ledgerItemSchema,
  status: 201,
  idempotency: 'required',
} as const satisfies OperationSchema;
