import type { MongoStore } from '@tollgate/mongo';
import type { EndpointId } from '../domain/endpoint';
import type { DueEndpoint, DueEndpoints } from '../domain/ports';
import { fromStored, type StoredEndpoint, storedEndpoints } from './endpoint-store';

/** Beside what the leader asks: what the store of deliveries tells. */
export interface ExpectingEndpoints extends DueEndpoints {
  /** A delivery of the endpoint is due at that time; false when the endpoint is gone. */
  expect(endpointId: EndpointId, atMs: number): Promise<boolean>;
}

/**
 * `dueAtMs` in the document of an endpoint says when the leader reads its deliveries next. It is
 * absent when nothing waits. Otherwise no pending delivery is due before it, unless the endpoint is
 * in quarantine.
 *
 * `expect` lowers it after a delivery became due, and counts `dueTurn` up. `scheduleNext` raises it
 * after the leader has read, but only while `dueTurn` is what it was before: another number means
 * that a delivery became due meanwhile, which the leader may not have seen. `bringForward` lowers
 * it for deliveries that have been there for long: `scheduleNext` finds them, nothing is counted.
 */
export function createDueEndpoints(
  mongo: MongoStore,
  nextDueAtMs: (endpointId: EndpointId) => Promise<number | undefined>,
): ExpectingEndpoints {
  const stored = storedEndpoints(mongo);
  return {
    async list(untilAtMs, limit, { endpoints, accounts, accountsOfFailing, failing }) {
      const listOthersThan = (those: readonly string[], consecutiveFailures?: 0 | { $gt: 0 }) => {
        const filter = {
          dueAtMs: { $lte: untilAtMs },
          ...(endpoints.length === 0 ? {} : { _id: { $nin: [...endpoints] as EndpointId[] } }),
          ...(those.length === 0 ? {} : { accountId: { $nin: [...those] } }),
          ...(consecutiveFailures === undefined ? {} : { consecutiveFailures }),
        };
        return stored.list(filter, { sort: { dueAtMs: 1 }, limit });
      };
      if (failing) return (await listOthersThan(accounts, 0)).map(toDueEndpoint);
      if (accountsOfFailing.length === 0) {
        return (await listOthersThan(accounts)).map(toDueEndpoint);
      }
      const found = await Promise.all([
        listOthersThan(accounts, 0),
        listOthersThan([...accounts, ...accountsOfFailing], { $gt: 0 }),
      ]);
      const due = found.flat().map(toDueEndpoint);
      return due.sort((a, b) => a.dueAtMs - b.dueAtMs).slice(0, limit);
    },
    expect: (endpointId, atMs) =>
      stored.update({ _id: endpointId }, { $min: { dueAtMs: atMs }, $inc: { dueTurn: 1 } }),
    async scheduleNext({ endpoint, dueTurn }) {
      const dueAtMs = await nextDueAtMs(endpoint.id);
      await stored.update(
        { _id: endpoint.id, dueTurn },
        dueAtMs === undefined ? { $unset: { dueAtMs: '' } } : { $set: { dueAtMs } },
      );
    },
    async quarantine(endpointId, untilAtMs) {
      await stored.update({ _id: endpointId }, { $set: { dueAtMs: untilAtMs } });
    },
    async bringForward(endpointIds, atMs) {
      const filter = { _id: { $in: [...endpointIds] } };
      const found = await stored.updateMany(filter, { $min: { dueAtMs: atMs } });
      if (found === endpointIds.length) return [];
      const present = await stored.list(filter);
      const ids = new Set(present.map(({ id }) => id));
      return endpointIds.filter((id) => !ids.has(id));
    },
  };
}

function toDueEndpoint(stored: StoredEndpoint): DueEndpoint {
  const { dueAtMs = 0, dueTurn = null } = stored;
  return { endpoint: fromStored(stored), dueAtMs, dueTurn };
}
