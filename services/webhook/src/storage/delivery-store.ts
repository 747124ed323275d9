import { assertNever } from '@tollgate/core';
import { type Documents, documentsOf, type MongoStore } from '@tollgate/mongo';
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

type Deliveries = Documents<DeliveryDocument>;
/** When a delivery that is finished or held now is forgotten. */
type Expiry = (now: number) => Date;

/** Deliveries in the collection `webhook_deliveries`, finished and held ones for `retentionMs`. */
export function createDeliveryStore(store: MongoStore, retentionMs: number): DeliveryStore {
  const documents = documentsOf<DeliveryDocument>(store, 'webhook_deliveries');
  const expiry = (now: number) => new Date(now + retentionMs);
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
  documents: Deliveries,
  endpointId: EndpointId,
): Promise<number | undefined> {
  const options = { sort: { dueAtMs: 1 }, limit: 1 } as const;
  const [next] = await documents.list({ endpointId, status: 'pending' }, options);
  return next?.dueAtMs;
}

/** What finds deliveries of which no endpoint knows. */
function forgotten(documents: Deliveries, dueEndpoints: DueEndpoints) {
  return {
    async overdue({ fromMs, untilMs, notOf }, limit) {
      const others = notOf.length === 0 ? {} : { endpointId: { $nin: [...notOf] } };
      const found = await documents.list(
        { status: 'pending', dueAtMs: { $gte: fromMs, $lte: untilMs }, ...others },
        { projection: { endpointId: 1, dueAtMs: 1 }, sort: { dueAtMs: 1 }, limit },
      );
      return found.map(({ endpointId, dueAtMs }) => ({ endpointId, dueAtMs }));
    },
    lookAtEndpoints: dueEndpoints.lookAt,
  } satisfies Partial<DeliveryStore>;
}

function reads(documents: Deliveries) {
  const one = async (filter: Record<string, unknown>): Promise<Delivery | undefined> => {
    const found = await documents.find(filter);
    return found && fromDocument(found);
  };
  return {
    findOfEvent: (endpointId, eventKey) => one({ endpointId, factKey: eventKey }),
    find: (accountId, deliveryId) => one({ _id: deliveryId, accountId }),
    findRestarted: (accountId, deliveryId, lastRestartId) =>
      one({ _id: deliveryId, accountId, lastRestartId }),
    async newestSequence(endpointId) {
      const [newest] = await documents.list({ endpointId }, { sort: { sequence: -1 }, limit: 1 });
      return newest?.sequence ?? 0;
    },
    async list(endpointId, limit, below) {
      const filter = { endpointId, ...(below === undefined ? {} : { sequence: { $lt: below } }) };
      const found = await documents.list(filter, { sort: { sequence: -1 }, limit });
      return found.map(fromDocument);
    },
    async listOfAccount(accountId, { fromMs, untilMs }, limit) {
      const made = { accountId, createdAtMs: { $gte: fromMs, $lt: untilMs } };
      const found = await documents.list(made, { sort: { createdAtMs: 1 }, limit });
      return found.map(fromDocument);
    },
    async due(endpointId, now, limit) {
      const due = { endpointId, status: 'pending', dueAtMs: { $lte: now } } as const;
      const found = await documents.list(due, { sort: { dueAtMs: 1 }, limit });
      return found.map(fromDocument);
    },
    countWaiting: (endpointId, limit, event) =>
      documents.count(
        { endpointId, status: 'pending', ...(event === undefined ? {} : { eventType: event }) },
        { limit },
      ),
  } satisfies Partial<DeliveryStore>;
}

/** The leader's writes. */
function attempts(documents: Deliveries, expiry: Expiry, dueEndpoints: DueEndpoints) {
  return {
    claim: ({ id, dueAtMs }, { fence, untilMs }) =>
      documents.update(
        { _id: id, status: 'pending', dueAtMs, fence: { $lte: fence } },
        { $set: { fence, dueAtMs: untilMs, claimedUntilMs: untilMs } },
      ),
    async record(delivery, { fence, untilMs }, record) {
      // A delivery that was held while its attempt ran may still succeed by it.
      const status = { $in: ['pending' as const, 'paused' as const] };
      const written = await documents.update(
        { _id: delivery.id, fence, claimedUntilMs: untilMs, status },
        toUpdate(record, expiry(record.atMs)),
      );
      const { outcome, atMs } = record;
      if ('delayMs' in outcome)
        await dueEndpoints.expect(delivery.endpointId, atMs + outcome.delayMs);
      return written;
    },
  } satisfies Partial<DeliveryStore>;
}

/** The writes that put deliveries into the queue and take them out of it. */
function queue(documents: Deliveries, expiry: Expiry, dueEndpoints: DueEndpoints) {
  const removeOf = async (endpointId: EndpointId): Promise<void> => {
    let found: readonly { readonly sequence: number }[];
    do {
      const order = { projection: { sequence: 1 }, sort: { sequence: 1 } } as const;
      found = await documents.list({ endpointId }, { ...order, limit: REMOVED_AT_ONCE });
      const last = found.at(-1);
      if (last === undefined) return;
      await documents.removeMany({ endpointId, sequence: { $lte: last.sequence } });
    } while (found.length === REMOVED_AT_ONCE);
  };
  return {
    removeOf,
    async removeSomeOf(accountId) {
      const order = { projection: { _id: 1 }, sort: { createdAtMs: 1 } } as const;
      const found = await documents.list({ accountId }, { ...order, limit: REMOVED_AT_ONCE });
      if (found.length === 0) return false;
      await documents.removeMany({ _id: { $in: found.map(({ _id }) => _id) } });
      return true;
    },
    async insert(delivery) {
      const { id: _id, eventKey: factKey, ...fields } = delivery;
      if (!(await documents.insert({ ...fields, _id, factKey, fence: 0n }))) return false;
      const { endpointId, dueAtMs } = delivery;
      // Of an endpoint that was deleted meanwhile nothing is kept.
      if (!(await dueEndpoints.expect(endpointId, dueAtMs))) await documents.remove({ _id });
      return true;
    },
    async restart(delivery, now, lastRestartId) {
      const { id: _id, accountId, endpointId } = delivery;
      const begun = { status: 'pending', dueAtMs: now, attemptsInRound: 0 } as const;
      const restarted = await documents.update(
        { _id, accountId, claimedUntilMs: { $lte: now }, lastRestartId: { $ne: lastRestartId } },
        { $set: { ...begun, deliveredAtMs: null, lastRestartId }, $unset: { expiresAt: '' } },
      );
      if (restarted) await dueEndpoints.expect(endpointId, now);
      return restarted;
    },
    async pause(endpointId, upToSequence, now) {
      await documents.updateMany(
        { endpointId, status: 'pending', sequence: { $lte: upToSequence } },
        { $set: { status: 'paused', expiresAt: expiry(now) } },
      );
    },
    async resume(endpointId, now) {
      const resumed = (change: { readonly dueAtMs?: number }) =>
        ({ $set: { status: 'pending', ...change }, $unset: { expiresAt: '' } }) as const;
      const paused = { endpointId, status: 'paused' } as const;
      // An attempt that is being made still has its delivery, which is due when that claim ends.
      await documents.updateMany({ ...paused, claimedUntilMs: { $gt: now } }, resumed({}));
      await documents.updateMany(paused, resumed({ dueAtMs: now }));
      await dueEndpoints.expect(endpointId, now);
    },
  } satisfies Partial<DeliveryStore>;
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
