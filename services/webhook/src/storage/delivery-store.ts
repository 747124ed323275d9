import { assertNever, withoutUndefined } from '@tollgate/core';
import { AS_IS, ID, type MongoStore, named, type RecordForm, recordsOf } from '@tollgate/mongo';
import type { Delivery, DeliveryId } from '../domain/delivery';
import type { EndpointId } from '../domain/endpoint';
import type { AttemptRecord, DeliveryStore, DueEndpoints } from '../domain/ports';
import { COLLECTIONS } from './collections';
import { createDueEndpoints, type ExpectingEndpoints } from './due-endpoints';

/** Nothing is decoded: a damaged document must not keep others from being listed with it. */
const DELIVERY = {
  id: ID,
  endpointId: AS_IS,
  accountId: AS_IS,
  sequence: AS_IS,
  eventId: AS_IS,
  eventType: AS_IS,
  body: AS_IS,
  status: AS_IS,
  attempts: AS_IS,
  attemptsInRound: AS_IS,
  lastStatusCode: AS_IS,
  lastError: AS_IS,
  dueAtMs: AS_IS,
  // The released names.
  claimedUntilAtMs: named('claimedUntilMs'),
  createdAtMs: AS_IS,
  deliveredAtMs: AS_IS,
  eventKey: named('factKey'),
} satisfies RecordForm<Delivery>;

interface BesideDelivery {
  /** Of the leader that claimed it last. */
  readonly fence: bigint;
  /** Which request asked for it again; absent when none did. */
  readonly lastRestartId?: string;
  /** When the store forgets it; only finished and held deliveries have one. */
  readonly expiresAt?: Date;
}

/** Deliveries that one command removes: an endpoint of a month may have millions. */
const REMOVED_AT_ONCE = 500;

type Deliveries = ReturnType<typeof storedDeliveries>;
/** When a delivery that is finished or held now is forgotten. */
type Expiry = (now: number) => Date;

export interface DeliveryStores {
  readonly deliveries: DeliveryStore;
  readonly dueEndpoints: DueEndpoints;
}

/** Deliveries, finished and held ones for `retentionMs`, and the endpoints of which some are due. */
export function createDeliveryStores(mongo: MongoStore, retentionMs: number): DeliveryStores {
  const stored = storedDeliveries(mongo);
  const expiry = (now: number) => new Date(now + retentionMs);
  const dueEndpoints = createDueEndpoints(mongo, (endpointId) => nextDueAtMs(stored, endpointId));
  const deliveries = {
    ...reads(stored),
    ...attempts(stored, expiry, dueEndpoints),
    ...queue(stored, expiry, dueEndpoints),
  };
  return { deliveries, dueEndpoints };
}

function storedDeliveries(mongo: MongoStore) {
  const unclaimed = () => ({ fence: 0n });
  return recordsOf<Delivery, typeof DELIVERY, BesideDelivery>(
    mongo,
    COLLECTIONS.deliveries,
    DELIVERY,
    unclaimed,
  );
}

async function nextDueAtMs(
  stored: Deliveries,
  endpointId: EndpointId,
): Promise<number | undefined> {
  const options = { sort: { dueAtMs: 1 }, limit: 1 } as const;
  const [next] = await stored.list({ endpointId, status: 'pending' }, options);
  return next?.dueAtMs;
}

function reads(stored: Deliveries) {
  return {
    findOfEvent: (endpointId, eventKey) => stored.find({ endpointId, factKey: eventKey }),
    find: (accountId, deliveryId) => stored.find({ _id: deliveryId as DeliveryId, accountId }),
    findRestarted: (accountId, deliveryId, lastRestartId) =>
      stored.find({ _id: deliveryId as DeliveryId, accountId, lastRestartId }),
    async newestSequence(endpointId) {
      const [newest] = await stored.list({ endpointId }, { sort: { sequence: -1 }, limit: 1 });
      return newest?.sequence ?? 0;
    },
    list(endpointId, limit, below) {
      const filter = { endpointId, ...(below === undefined ? {} : { sequence: { $lt: below } }) };
      return stored.list(filter, { sort: { sequence: -1 }, limit });
    },
    listOfAccount(accountId, { fromAtMs, untilAtMs }, limit) {
      const made = { accountId, createdAtMs: { $gte: fromAtMs, $lt: untilAtMs } };
      return stored.list(made, { sort: { createdAtMs: 1 }, limit });
    },
    due(endpointId, now, limit) {
      const due = { endpointId, status: 'pending', dueAtMs: { $lte: now } } as const;
      return stored.list(due, { sort: { dueAtMs: 1 }, limit });
    },
    async overdue({ fromAtMs, untilAtMs, notOf }, limit) {
      const others = notOf.length === 0 ? {} : { endpointId: { $nin: [...notOf] } };
      const found = await stored.list(
        { status: 'pending', dueAtMs: { $gte: fromAtMs, $lte: untilAtMs }, ...others },
        { projection: { endpointId: 1, dueAtMs: 1 }, sort: { dueAtMs: 1 }, limit },
      );
      return found.map(({ endpointId, dueAtMs }) => ({ endpointId, dueAtMs }));
    },
    countWaiting(endpointId, limit, eventType) {
      const waiting = {
        endpointId,
        status: 'pending',
        ...withoutUndefined({ eventType }),
      } as const;
      return stored.count(waiting, { limit });
    },
  } satisfies Partial<DeliveryStore>;
}

/** The leader's writes. */
function attempts(stored: Deliveries, expiry: Expiry, dueEndpoints: ExpectingEndpoints) {
  return {
    claim: ({ id, dueAtMs }, { fence, untilAtMs }) =>
      stored.update(
        { _id: id, status: 'pending', dueAtMs, fence: { $lte: fence } },
        { $set: { fence, dueAtMs: untilAtMs, claimedUntilMs: untilAtMs } },
      ),
    async record(delivery, { fence, untilAtMs }, record) {
      // A delivery that was held while its attempt ran may still succeed by it.
      const status = { $in: ['pending' as const, 'paused' as const] };
      const written = await stored.update(
        { _id: delivery.id, fence, claimedUntilMs: untilAtMs, status },
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
function queue(stored: Deliveries, expiry: Expiry, dueEndpoints: ExpectingEndpoints) {
  const removeOf = async (endpointId: EndpointId): Promise<void> => {
    let found: readonly { readonly sequence: number }[];
    do {
      const order = { projection: { sequence: 1 }, sort: { sequence: 1 } } as const;
      found = await stored.list({ endpointId }, { ...order, limit: REMOVED_AT_ONCE });
      const last = found.at(-1);
      if (last === undefined) return;
      await stored.removeMany({ endpointId, sequence: { $lte: last.sequence } });
    } while (found.length === REMOVED_AT_ONCE);
  };
  return {
    removeOf,
    async removeSomeOf(accountId) {
      const order = { projection: { _id: 1 }, sort: { createdAtMs: 1 } } as const;
      const found = await stored.list({ accountId }, { ...order, limit: REMOVED_AT_ONCE });
      if (found.length === 0) return false;
      await stored.removeMany({ _id: { $in: found.map(({ id }) => id) } });
      return true;
    },
    async insert(delivery) {
      const { id: _id, endpointId, dueAtMs } = delivery;
      if (!(await stored.insert(delivery))) return false;
      // Of an endpoint that was deleted meanwhile nothing is kept.
      if (!(await dueEndpoints.expect(endpointId, dueAtMs))) await stored.remove({ _id });
      return true;
    },
    async restart(delivery, now, lastRestartId) {
      const { id: _id, accountId, endpointId } = delivery;
      const begun = { status: 'pending', dueAtMs: now, attemptsInRound: 0 } as const;
      const restarted = await stored.update(
        { _id, accountId, claimedUntilMs: { $lte: now }, lastRestartId: { $ne: lastRestartId } },
        { $set: { ...begun, deliveredAtMs: null, lastRestartId }, $unset: { expiresAt: '' } },
      );
      if (restarted) await dueEndpoints.expect(endpointId, now);
      return restarted;
    },
    async pause(endpointId, upToSequence, now) {
      await stored.updateMany(
        { endpointId, status: 'pending', sequence: { $lte: upToSequence } },
        { $set: { status: 'paused', expiresAt: expiry(now) } },
      );
    },
    async resume(endpointId, now) {
      const resumed = (change: { readonly dueAtMs?: number }) =>
        ({ $set: { status: 'pending', ...change }, $unset: { expiresAt: '' } }) as const;
      const paused = { endpointId, status: 'paused' } as const;
      // An attempt that is being made still has its delivery, which is due when that claim ends.
      await stored.updateMany({ ...paused, claimedUntilMs: { $gt: now } }, resumed({}));
      await stored.updateMany(paused, resumed({ dueAtMs: now }));
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
