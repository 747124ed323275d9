import { AppError, type WaitingCall, withoutUndefined } from '@tollgate/core';
import { isTimeExpired, type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
import {
  type ChargeEntry,
  type LedgerEntry,
  type LedgerFilter,
  ledgerIdOf,
  type RequestRange,
} from '../domain/ledger-entry';
import type { LedgerQueries } from '../domain/ports';
import { COLLECTIONS } from './collections';
import { fromEntryDocument, type LedgerDocument } from './ledger-document';

/** How long a query may take, milliseconds, and which part of the time that its client waits. */
const QUERY_MS_MAX = 3_000;
const QUERY_PART = 0.8;

/**
 * Reads the ledger for people who search it. Each query ends by itself, also at the store, before
 * its caller has given up.
 */
export function createLedgerQueries(mongo: MongoStore): (call: WaitingCall) => LedgerQueries {
  const ledger = () => mongo.connection.collection<LedgerDocument>(COLLECTIONS.ledger);
  return (call) => {
    const bounds = () => ({
      maxTimeMS: Math.max(1, Math.floor(Math.min(QUERY_MS_MAX, call.deadlineMs * QUERY_PART))),
      signal: call.signal,
    });
    return {
      async list(accountId, { above, below }, filter, limit) {
        const seq = { $gt: above, $lt: below };
        const wanted = { account_id: accountId, seq, ...kindOf(filter), ...recordOf(filter) };
        const found = await bounded(() =>
          ledger().find(wanted, bounds()).sort({ seq: -1 }).limit(limit).toArray(),
        );
        return found.map(fromEntryDocument);
      },
      async timeOf(accountId, seq) {
        const id = ledgerIdOf({ accountId, seq });
        const found = await bounded(() =>
          ledger().findOne({ _id: id }, { ...bounds(), projection: { at: 1 } }),
        );
        return found?.at;
      },
      async listCharges(accountId, range, filter, limit) {
        const wanted = { ...chargesOf(accountId, range), ...recordOf(filter) };
        const newestFirst = { 'record.request_id': -1 } as const;
        const found = await bounded(() =>
          ledger().find(wanted, bounds()).sort(newestFirst).limit(limit).toArray(),
        );
        return found.map(fromEntryDocument).filter(isCharge);
      },
      async lastRequestIdOf(accountId, range, count) {
        const found = await bounded(() =>
          ledger()
            .find(chargesOf(accountId, range), bounds())
            .project<{ readonly record: { readonly request_id: string } }>({
              _id: 0,
              'record.request_id': 1,
            })
            .sort({ 'record.request_id': -1 })
            .limit(count)
            .toArray(),
        );
        return found.length < count ? undefined : found.at(-1)?.record.request_id;
      },
      async findCharge(requestId) {
        const found = await bounded(() =>
          ledger().findOne({ kind: 'charge', 'record.request_id': requestId }, bounds()),
        );
        const entry = found === null ? undefined : fromEntryDocument(found);
        return entry !== undefined && isCharge(entry) ? entry : undefined;
      },
    };
  };
}

function bounded<Result>(query: () => Promise<Result>): Promise<Result> {
  return withDatabaseFailures(async () => {
    try {
      return await query();
    } catch (error) {
      if (!isTimeExpired(error)) throw error;
      throw new AppError('SERVICE_UNAVAILABLE', {
        publicMessage: 'The search took too long. Narrow it by a span of time, or try again later.',
        internalMessage: 'a search of the ledger did not end in its time',
        retryAfterMs: 1_000,
        cause: error,
      });
    }
  });
}

/**
 * Within one account only charges bear a request, so that its index says all that is asked; of all
 * accounts the index holds charges alone, and is used where the query says the same.
 */
function chargesOf(accountId: string | undefined, range: RequestRange) {
  const asked = within('record.request_id', { ...range, above: range.above ?? '' });
  if (accountId === undefined) return { kind: 'charge' as const, ...asked };
  return { account_id: accountId, ...asked };
}

function within(member: string, { above, from, below }: RequestRange) {
  const bounds = withoutUndefined({ $gt: above, $gte: from, $lt: below });
  return Object.keys(bounds).length === 0 ? {} : { [member]: bounds };
}

/** Adjustments are stored as credits whose id says so. */
function kindOf({ kind }: LedgerFilter) {
  if (kind === undefined) return {};
  return { kind: kind === 'charge' ? ('charge' as const) : ('credit' as const) };
}

function recordOf(filter: LedgerFilter) {
  const { keyId, model, status, errorCode, channelId, clientRequestId } = filter;
  return withoutUndefined({
    'record.key_id': keyId,
    'record.model': model,
    'record.status': status,
    'record.error_code': errorCode,
    'record.channel_id': channelId,
    'record.client_request_id': clientRequestId,
  });
}

function isCharge(entry: LedgerEntry): entry is ChargeEntry {
  return entry.kind === 'charge';
}
