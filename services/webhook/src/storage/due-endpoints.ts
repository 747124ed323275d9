import type { MongoStore } from '@tollgate/mongo';
import type { EndpointId } from '../domain/endpoint';
import type { DueEndpoint, SkippedEndpoints } from '../domain/ports';
import { type EndpointDocument, endpointDocuments, fromEndpointDocument } from './endpoint-store';

/** When each endpoint is to be looked at, kept in its document. */
export interface DueEndpoints {
  due(untilMs: number, limit: number, skipped: SkippedEndpoints): Promise<readonly DueEndpoint[]>;
  /** A delivery of the endpoint is due at that time; false when the endpoint is gone. */
  expect(endpointId: EndpointId, atMs: number): Promise<boolean>;
  /** All that was due has been started: the next look is when the next one is due. */
  noteNext(looked: DueEndpoint): Promise<void>;
  quarantine(endpointId: EndpointId, untilMs: number): Promise<void>;
  /** All of them are looked at from that time; answers those that are gone. */
  lookAt(endpointIds: readonly EndpointId[], atMs: number): Promise<readonly EndpointId[]>;
}

/**
 * `dueAtMs` of an endpoint is absent when nothing waits, and otherwise never later than its first
 * pending delivery, unless the endpoint is in quarantine. `expect` lowers it after a delivery became
 * due and counts `dueTurn` up; it is raised only if `dueTurn` is as it was before the deliveries were
 * looked at. `lookAt` lowers it too and leaves `dueTurn` as it is.
 */
export function createDueEndpoints(
  store: MongoStore,
  nextDueAtMs: (endpointId: EndpointId) => Promise<number | undefined>,
): DueEndpoints {
  const documents = endpointDocuments(store);
  return {
    async due(untilMs, limit, { endpoints, accounts, failing }) {
      const filter = {
        dueAtMs: { $lte: untilMs },
        ...(endpoints.length === 0 ? {} : { _id: { $nin: [...endpoints] as EndpointId[] } }),
        ...(accounts.length === 0 ? {} : { accountId: { $nin: [...accounts] } }),
        ...(failing ? { consecutiveFailures: 0 } : {}),
      };
      const found = await documents.list(filter, { sort: { dueAtMs: 1 }, limit });
      return found.map(toDueEndpoint);
    },
    expect: (endpointId, atMs) =>
      documents.update({ _id: endpointId }, { $min: { dueAtMs: atMs }, $inc: { dueTurn: 1 } }),
    async noteNext({ endpoint, dueTurn }) {
      const dueAtMs = await nextDueAtMs(endpoint.id);
      await documents.update(
        { _id: endpoint.id, dueTurn },
        dueAtMs === undefined ? { $unset: { dueAtMs: '' } } : { $set: { dueAtMs } },
      );
    },
    async quarantine(endpointId, untilMs) {
      await documents.update({ _id: endpointId }, { $set: { dueAtMs: untilMs } });
    },
    async lookAt(endpointIds, atMs) {
      const filter = { _id: { $in: [...endpointIds] } };
      const found = await documents.updateMany(filter, { $min: { dueAtMs: atMs } });
      if (found === endpointIds.length) return [];
      const present = await documents.list(filter);
      const ids = new Set(present.map(({ _id }) => _id));
      return endpointIds.filter((id) => !ids.has(id));
    },
  };
}

function toDueEndpoint(document: EndpointDocument): DueEndpoint {
  const { dueAtMs = 0, dueTurn = null } = document;
  return { endpoint: fromEndpointDocument(document), dueAtMs, dueTurn };
}
