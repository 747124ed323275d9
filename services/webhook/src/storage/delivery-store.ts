import { assertNever } from '@tollgate/core';
import { insertNew, type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
import type { Collection } from 'mongoose';
import type { Delivery, DeliveryId } from '../domain/delivery';
import type { EndpointId } from '../domain/endpoint';
import type { AttemptRecord, DeliveryStore } from '../domain/ports';
import { createDueEndpoints, type DueEndpoints } from './due-endpoints';

interface DeliveryDocument extends Omit<Delivery, 'id' | 'eventKey'> {
  readonly _id: DeliveryId;
  /** The key of the event, under its released name. */
  readonly factKey: string;
  /** Of the leader that claimed it last. */
  readonly fence: bigint;
  /** Which request asked for it again; absent when none did. */
  readonly lastRestartId?: string;
  /** When the store forgets it; only finished and held deliveries have one. */
  readonly expiresAt?: Date;
}

/** Deliveries that one command removes: an endpoint of a month may have millions. */
const REMOVED_AT_ONCE = 500;

type Documents = () => Collection<DeliveryDocument>;
/** When a delivery that is finished or held now is forgotten. */
type Expiry = (nowMs: number) => Date;

/** Deliveries in the collection `webhook_deliveries`, finished and held ones for `retentionMs`. */
export function createDeliveryStore(store: MongoStore, retentionMs: number): DeliveryStore {
  const documents = () => store.connection.collection<DeliveryDocument>('webhook_deliveries');
  const expiry = (nowMs: number) => new Date(nowMs + retentionMs);
  const dueEndpoints = createDueEndpoints(store, (endpointId) =>
    nextDueAtMs(documents, endpointId),
  );
  return {
    ...reads(documents),
    ...attempts(documents, expiry, dueEndpoints),
    ...queue(documents, expiry, dueEndpoints),
    dueEndpoints: dueEndpoints.due,
    noteNextDue: dueEndpoints.noteNext,
    quarantineEndpoint: dueEndpoints.quarantine,
    ...forgotten(documents, dueEndpoints),
  };
}

async function nextDueAtMs(
  documents: Documents,
  endpointId: EndpointId,
): Promise<number | undefined> {
  const [next] = await withDatabaseFailures(() =>
    documents().find({ endpointId, status: 'pending' }).sort({ dueAtMs: 1 }).limit(1).toArray(),
  );
  return next?.dueAtMs;
}

/** What finds deliveries of which no endpoint knows. */
function forgotten(
  documents: Documents,
  dueEndpoints: DueEndpoints,
): Pick<DeliveryStore, 'overdue' | 'lookAtEndpoints'> {
  return {
    async overdue({ fromMs, untilMs, notOf }, limit) {
      const others = notOf.length === 0 ? {} : { endpointId: { $nin: [...notOf] } };
      const found = await withDatabaseFailures(() =>
        documents()
          .find(
            { status: 'pending', dueAtMs: { $gte: fromMs, $lte: untilMs }, ...others },
            { projection: { endpointId: 1, dueAtMs: 1 } },
          )
          .sort({ dueAtMs: 1 })
          .limit(limit)
          .toArray(),
      );
      return found.map(({ endpointId, dueAtMs }) => ({ endpointId, dueAtMs }));
    },
    lookAtEndpoints: dueEndpoints.lookAt,
  };
}

function reads(
  documents: Documents,
): Pick<
  DeliveryStore,
  | ('findOfEvent' | 'find' | 'findRestarted' | 'newestSequence')
  | ('list' | 'listOfAccount' | 'due' | 'countWaiting')
> {
  const one = async (filter: Record<string, unknown>): Promise<Delivery | undefined> => {
    const found = await withDatabaseFailures(() => documents().findOne(filter));
    return found === null ? undefined : fromDocument(found);
  };
  return {
    findOfEvent: (endpointId, eventKey) => one({ endpointId, factKey: eventKey }),
    find: (accountId, deliveryId) => one({ _id: deliveryId, accountId }),
    findRestarted: (accountId, deliveryId, lastRestartId) =>
      one({ _id: deliveryId, accountId, lastRestartId }),
    async newestSequence(endpointId) {
      const [newest] = await withDatabaseFailures(() =>
        documents().find({ endpointId }).sort({ sequence: -1 }).limit(1).toArray(),
      );
      return newest?.sequence ?? 0;
    },
    async list(endpointId, limit, below) {
      const filter = { endpointId, ...(below === undefined ? {} : { sequence: { $lt: below } }) };
      const found = await withDatabaseFailures(() =>
        documents().find(filter).sort({ sequence: -1 }).limit(limit).toArray(),
      );
      return found.map(fromDocument);
    },
    async listOfAccount(accountId, { fromMs, untilMs }, limit) {
      const made = { $gte: fromMs, $lt: untilMs };
      const found = await withDatabaseFailures(() =>
        documents()
          .find({ accountId, createdAtMs: made })
          .sort({ createdAtMs: 1 })
          .limit(limit)
          .toArray(),
      );
      return found.map(fromDocument);
    },
    async due(endpointId, nowMs, limit) {
      const found = await withDatabaseFailures(() =>
        documents()
          .find({ endpointId, status: 'pending', dueAtMs: { $lte: nowMs } })
          .sort({ dueAtMs: 1 })
          .limit(limit)
          .toArray(),
      );
      return found.map(fromDocument);
    },
    countWaiting: (endpointId, limit, event) =>
      withDatabaseFailures(() =>
        documents().countDocuments(
          { endpointId, status: 'pending', ...(event === undefined ? {} : { eventType: event }) },
          { limit },
        ),
      ),
  };
}

/** The leader's writes. */
function attempts(
  documents: Documents,
  expiry: Expiry,
  dueEndpoints: DueEndpoints,
): Pick<DeliveryStore, 'claim' | 'record'> {
  return {
    async claim(delivery, { fence, untilMs }) {
      const { id, dueAtMs } = delivery;
      const written = await withDatabaseFailures(() =>
        documents().updateOne(
          { _id: id, status: 'pending', dueAtMs, fence: { $lte: fence } },
          { $set: { fence, dueAtMs: untilMs, claimedUntilMs: untilMs } },
        ),
      );
      return written.matchedCount === 1;
    },
    async record(delivery, { fence, untilMs }, record) {
      const written = await withDatabaseFailures(() =>
        documents().updateOne(
          // A delivery that was held while its attempt ran may still succeed by it.
          {
            _id: delivery.id,
            fence,
            claimedUntilMs: untilMs,
            status: { $in: ['pending', 'paused'] },
          },
          toUpdate(record, expiry(record.atMs)),
        ),
      );
      const { outcome, atMs } = record;
      if ('delayMs' in outcome)
        await dueEndpoints.expect(delivery.endpointId, atMs + outcome.delayMs);
      return written.matchedCount === 1;
    },
  };
}

/** The writes that put deliveries into the queue and take them out of it. */
function queue(
  documents: Documents,
  expiry: Expiry,
  dueEndpoints: DueEndpoints,
): Pick<DeliveryStore, 'insert' | 'restart' | 'pause' | 'resume' | 'removeOf' | 'removeSomeOf'> {
  const removeOf = async (endpointId: EndpointId): Promise<void> => {
    let found: readonly { readonly sequence: number }[];
    do {
      found = await withDatabaseFailures(() =>
        documents()
          .find({ endpointId }, { projection: { sequence: 1 } })
          .sort({ sequence: 1 })
          .limit(REMOVED_AT_ONCE)
          .toArray(),
      );
      const last = found.at(-1);
      if (last === undefined) return;
      const removed = { endpointId, sequence: { $lte: last.sequence } };
      await withDatabaseFailures(() => documents().deleteMany(removed));
    } while (found.length === REMOVED_AT_ONCE);
  };
  return {
    removeOf,
    async removeSomeOf(accountId) {
      const found = await withDatabaseFailures(() =>
        documents()
          .find({ accountId }, { projection: { _id: 1 } })
          .sort({ createdAtMs: 1 })
          .limit(REMOVED_AT_ONCE)
          .toArray(),
      );
      if (found.length === 0) return false;
      const removed = { _id: { $in: found.map(({ _id }) => _id) } };
      await withDatabaseFailures(() => documents().deleteMany(removed));
      return true;
    },
    async insert(delivery) {
      const { id: _id, eventKey: factKey, ...fields } = delivery;
      const document = { ...fields, _id, factKey, fence: 0n };
      if (!(await insertNew(() => documents().insertOne(document)))) return false;
      const { endpointId, dueAtMs } = delivery;
      // Of an endpoint that was deleted meanwhile nothing is kept.
      if (!(await dueEndpoints.expect(endpointId, dueAtMs))) {
        await withDatabaseFailures(() => documents().deleteOne({ _id }));
      }
      return true;
    },
    async restart(delivery, nowMs, lastRestartId) {
      const { id: _id, accountId, endpointId } = delivery;
      await withDatabaseFailures(() =>
        documents().updateOne(
          { _id, accountId, claimedUntilMs: { $lte: nowMs } },
          {
            $set: {
              status: 'pending' as const,
              dueAtMs: nowMs,
              attemptsInRound: 0,
              deliveredAtMs: null,
              lastRestartId,
            },
            $unset: { expiresAt: '' },
          },
        ),
      );
      await dueEndpoints.expect(endpointId, nowMs);
    },
    async pause(endpointId, upToSequence, nowMs) {
      await withDatabaseFailures(() =>
        documents().updateMany(
          { endpointId, status: 'pending', sequence: { $lte: upToSequence } },
          { $set: { status: 'paused', expiresAt: expiry(nowMs) } },
        ),
      );
    },
    async resume(endpointId, nowMs) {
      await withDatabaseFailures(() =>
        documents().updateMany(
          { endpointId, status: 'paused' },
          { $set: { status: 'pending', dueAtMs: nowMs }, $unset: { expiresAt: '' } },
        ),
      );
      await dueEndpoints.expect(endpointId, nowMs);
    },
  };
}

function toUpdate({ outcome, atMs }: AttemptRecord, expiresAt: Date) {
  const counted = { attempts: 1, attemptsInRound: 1 };
  switch (outcome.kind) {
    case 'succeeded':
      return {
        $set: {
          status: 'succeeded' as const,
          lastStatusCode: outcome.statusCode,
          lastError: '',
          deliveredAtMs: atMs,
          claimedUntilMs: 0,
          expiresAt,
        },
        $inc: counted,
      };
    case 'failed':
      return {
        $set: {
          status: 'failed' as const,
          lastStatusCode: outcome.statusCode,
          lastError: outcome.error,
          claimedUntilMs: 0,
          expiresAt,
        },
        $inc: counted,
      };
    case 'retry':
      return {
        $set: {
          lastStatusCode: outcome.statusCode,
          lastError: outcome.error,
          dueAtMs: atMs + outcome.delayMs,
          claimedUntilMs: 0,
        },
        $inc: counted,
      };
    case 'postponed':
      return { $set: { dueAtMs: atMs + outcome.delayMs, claimedUntilMs: 0 } };
    default:
      return assertNever(outcome);
  }
}

function fromDocument(document: DeliveryDocument): Delivery {
  const { _id, factKey, fence: _, expiresAt: __, lastRestartId: ___, ...fields } = document;
  return { ...fields, id: _id, eventKey: factKey };
}
