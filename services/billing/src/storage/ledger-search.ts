import { type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
import type { LedgerEntry } from '../domain/ledger-entry';
import type { LedgerFilter, LedgerIndex, RequestRange } from '../operations/search-ledger';
import { fromEntryDocument, type LedgerDocument, ledgerIdOf } from './ledger-document';
import { LEDGER } from './ledger-store';

/** Reads the ledger for people who search it. */
export function createLedgerIndex(mongo: MongoStore): LedgerIndex {
  const ledger = () => mongo.connection.collection<LedgerDocument>(LEDGER);
  const charges = (accountId: string | undefined, range: RequestRange) => ({
    ...(accountId === undefined ? {} : { account_id: accountId }),
    kind: 'charge' as const,
    ...within('record.request_id', range),
  });
  return {
    async list(accountId, { above, below }, filter, limit) {
      const seq = { $gt: above, $lt: below };
      const found = await withDatabaseFailures(() =>
        ledger()
          .find({ account_id: accountId, seq, ...kindOf(filter), ...recordOf(filter) })
          .sort({ seq: -1 })
          .limit(limit)
          .toArray(),
      );
      return found.map(fromEntryDocument);
    },
    async postedAt(accountId, seq) {
      const found = await withDatabaseFailures(() =>
        ledger().findOne({ _id: ledgerIdOf({ accountId, seq }) }, { projection: { at: 1 } }),
      );
      return found?.at;
    },
    async listCharges(accountId, range, filter, limit) {
      const found = await withDatabaseFailures(() =>
        ledger()
          .find({ ...charges(accountId, range), ...recordOf(filter) })
          .sort({ 'record.request_id': -1 })
          .limit(limit)
          .toArray(),
      );
      return found.map(fromEntryDocument).filter(isCharge);
    },
    async requestIdAfter(accountId, range, count) {
      const found = await withDatabaseFailures(() =>
        ledger()
          .find(charges(accountId, range))
          .project<{ readonly record: { readonly request_id: string } }>({ 'record.request_id': 1 })
          .sort({ 'record.request_id': -1 })
          .limit(count)
          .toArray(),
      );
      return found.length < count ? undefined : found.at(-1)?.record.request_id;
    },
    async findCharge(requestId) {
      const found = await withDatabaseFailures(() =>
        ledger().findOne({ kind: 'charge', 'record.request_id': requestId }),
      );
      const entry = found === null ? undefined : fromEntryDocument(found);
      return entry !== undefined && isCharge(entry) ? entry : undefined;
    },
  };
}

function within(member: string, { above, from, below }: RequestRange) {
  const bounds = {
    ...(above === undefined ? {} : { $gt: above }),
    ...(from === undefined ? {} : { $gte: from }),
    ...(below === undefined ? {} : { $lt: below }),
  };
  return Object.keys(bounds).length === 0 ? {} : { [member]: bounds };
}

/** Adjustments are stored as credits whose id says so. */
function kindOf({ kind }: LedgerFilter) {
  if (kind === undefined) return {};
  return { kind: kind === 'charge' ? ('charge' as const) : ('credit' as const) };
}

function recordOf({ keyId, model, status, errorCode, channelId }: LedgerFilter) {
  return {
    ...(keyId === undefined ? {} : { 'record.key_id': keyId }),
    ...(model === undefined ? {} : { 'record.model': model }),
    ...(status === undefined ? {} : { 'record.status': status }),
    ...(errorCode === undefined ? {} : { 'record.error_code': errorCode }),
    ...(channelId === undefined ? {} : { 'record.channel_id': channelId }),
  };
}

function isCharge(entry: LedgerEntry): entry is Extract<LedgerEntry, { kind: 'charge' }> {
  return entry.kind === 'charge';
}
