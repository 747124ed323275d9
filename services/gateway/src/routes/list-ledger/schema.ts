import { ledgerItemSchema } from '../resources/ledger';
import { pageOf, pageQuery } from '../resources/page';
import type { OperationSchema } from '../route';

export const listLedgerSchema = {
  summary: 'List credits, adjustments and charges, newest first',
  query: pageQuery,
  data: pageOf(ledgerItemSchema),
} as const satisfies OperationSchema;
