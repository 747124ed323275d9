import { fromIsoTime } from '@tollgate/core';
import type { billingV1 } from '@tollgate/protos';
import { type definitionOf, fromProtoUsageRecord, type RpcClient } from '@tollgate/rpc';
import { chargedRequestOf, type LedgerEntry } from '../domain/ledger-entry';
import type { Ledger } from '../domain/ports';

/** Billing's ledger by gRPC. */
export function createBillingLedger(
  client: Pick<RpcClient<ReturnType<typeof definitionOf<'billing'>>>, 'listLedger'>,
): Ledger {
  return {
    async listAfter(accountId, seq, limit) {
      const page = await client.listLedger({ accountId, afterSeq: seq.toString(), limit });
      return page.entries.map(fromProtoLedgerEntry);
    },
  };
}

/** A ledger entry as figures see it. */
function fromProtoLedgerEntry(entry: billingV1.LedgerEntry__Output): LedgerEntry {
  const place = {
    accountId: entry.accountId,
    seq: BigInt(entry.seq),
    atMs: fromIsoTime(entry.at) ?? 0,
  };
  const { record } = entry;
  if (record === null) return place;
  return { ...place, ...chargedRequestOf(fromProtoUsageRecord(record), BigInt(entry.amount)) };
}
