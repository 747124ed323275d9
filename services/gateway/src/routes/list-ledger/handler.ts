import { AppError } from '@tollgate/core';
import type { BillingClient } from '../../clients/control-plane';
import { toLedgerItem } from '../resources/ledger';
import { toPage } from '../resources/page';
import { type Operation, operation } from '../route';
import { listLedgerSchema } from './schema';

const FIRST_SEQ = 1;

/** Billing pages by sequence number; callers see an opaque cursor. */
export function createListLedger(billing: BillingClient): Operation {
  return operation(listLedgerSchema, async ({ principal, query, context }) => {
    const { accountId } = principal;
    const beforeSeq = query.cursor === undefined ? '0' : fromCursor(query.cursor);
    const { entries } = await billing.listLedger(
      { accountId, limit: query.limit, beforeSeq },
      context.rpc,
    );
    const last = entries.at(-1);
    // The ledger has no gap: below the last sequence shown there is more until the first.
    const isLast = last === undefined || Number(last.seq) <= FIRST_SEQ;
    return { data: toPage(entries.map(toLedgerItem), isLast ? '' : toCursor(last.seq)) };
  });
}

function toCursor(seq: string): string {
  return Buffer.from(`seq:${seq}`).toString('base64url');
}

function fromCursor(cursor: string): string {
  const match = /^seq:(\d{1,18})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (match?.[1] !== undefined) return match[1];
  throw new AppError('VALIDATION_ERROR', {
    publicMessage: 'cursor: must be a next_cursor of this list.',
    param: 'cursor',
  });
}
