import type { billingV1 } from '@tollgate/protos';
import { z } from 'zod';
import { amount, isoTime, textOrNull, toAmount } from './values';

/** One line of the ledger, for people. */
export const ledgerItemSchema = z.object({
  seq: z.int(),
  kind: z.enum(['credit', 'charge', 'adjustment']),
  amount: amount.meta({ description: 'Below 0 only where an adjustment took back.' }),
  request_id: z.string().nullable(),
  key_id: z.string().nullable(),
  model: z.string().nullable(),
  prompt_tokens: z.int().nullable(),
  completion_tokens: z.int().nullable(),
  source: z.string().nullable(),
  reason: z.string().nullable(),
  note: z
    .string()
    .nullable()
    .meta({ description: 'What the operator wrote to a credit or an adjustment.' }),
  created_at: isoTime,
});

function kindOf(kind: string): z.infer<typeof ledgerItemSchema>['kind'] {
  return kind === 'credit' || kind === 'adjustment' ? kind : 'charge';
}

export function toLedgerItem(
  entry: billingV1.LedgerEntry__Output,
): z.infer<typeof ledgerItemSchema> {
  const { record } = entry;
  return {
    seq: Number(entry.seq),
    kind: kindOf(entry.kind),
    amount: toAmount(entry.amount),
    request_id: textOrNull(record?.requestId ?? ''),
    key_id: textOrNull(record?.keyId ?? ''),
    model: textOrNull(record?.model ?? ''),
    prompt_tokens: record?.promptTokens ?? null,
    completion_tokens: record?.completionTokens ?? null,
    source: textOrNull(record?.source ?? ''),
    reason: textOrNull(record?.reason ?? ''),
    note: textOrNull(entry.note),
    created_at: entry.at,
  };
}
