import { fromIsoTime } from '@tollgate/core';
import type { billingV1 } from '@tollgate/protos';
import type { controlPlane, RpcClient } from '@tollgate/rpc';
import type { LedgerEntry } from '../domain/ledger-entry';
import type { Ledger } from '../domain/ports';

/** Billing's ledger by gRPC. */
export function createBillingLedger(
  client: Pick<RpcClient<ReturnType<typeof controlPlane<'billing'>>>, 'listLedger'>,
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
  if (record === null || record.kind !== 'USAGE_KIND_USAGE') return place;
  return {
    ...place,
    request: {
      model: record.model,
      keyId: record.keyId,
      userId: record.userId,
      channelId: record.channelId,
      succeeded: record.status === 'succeeded',
      promptTokens: record.promptTokens,
      completionTokens: record.completionTokens,
      cachedTokens: record.cachedTokens,
      chargedNano: BigInt(entry.amount),
      latencyMs: record.latencyMs,
      firstTokenMs: record.firstTokenMs ?? null,
    },
  };
}
