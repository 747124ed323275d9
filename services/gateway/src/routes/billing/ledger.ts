import type { z } from 'zod';
import { requireAccount } from '../accounts/accounts';
import { operation, type Services } from '../operation';
import {
  identifier,
  listOf,
  opaqueCursor,
  readSpan,
  timeSpan,
  toPageAnswer,
} from '../payloads/paging';
import { idParams } from '../payloads/values';
import { type LedgerReader, ledgerItemSchema, ledgerKind, toLedgerItems } from './ledger-items';

const ledgerList = listOf(ledgerItemSchema, {
  ...timeSpan,
  key_id: identifier('The API key that was charged.'),
  model: identifier('The model that was charged.'),
  kind: ledgerKind.optional(),
});

export const listLedger = operation(
  {
    summary: 'List credits, adjustments and charges, newest first',
    ...ledgerList,
  },
  async ({ principal, query }, services) => {
    const { accountId } = principal;
    return { data: await searchLedger({ accountId }, accountId, query, services) };
  },
);

export const listAccountLedger = operation(
  {
    summary: 'List credits, adjustments and charges of any account, newest first',
    params: idParams,
    ...ledgerList,
  },
  async ({ params, query }, services) => {
    await requireAccount(services, params.id);
    return { data: await searchLedger('operator', params.id, query, services) };
  },
);

/** Billing pages by sequence number. */
const ledgerCursor = opaqueCursor('seq', /\d{1,18}/);

async function searchLedger(
  reader: LedgerReader,
  accountId: string,
  query: z.output<typeof ledgerList.query>,
  { billing, identity }: Services,
) {
  const { limit, cursor, key_id: keyId = '', model = '', kind = '' } = query;
  const { entries, nextBeforeSeq } = await billing.searchLedger({
    accountId,
    limit,
    beforeSeq: ledgerCursor.read(cursor) || '0',
    filter: { keyId, model, kind, ...readSpan(query) },
  });
  return toPageAnswer(
    await toLedgerItems(entries, reader, { identity }),
    nextBeforeSeq === '0' ? '' : ledgerCursor.write(nextBeforeSeq),
  );
}
