import { withoutUndefined } from '@tollgate/core';
import {
  afterId,
  type Documents,
  documentsOf,
  type MongoStore,
  type SealedMember,
  withDatabaseFailures,
} from '@tollgate/mongo';
import type { Endpoint, EndpointId } from '../domain/endpoint';
import type { EndpointStore } from '../domain/ports';

/** An endpoint at rest. */
export interface EndpointDocument extends Omit<Endpoint, 'id'> {
  readonly _id: EndpointId;
  /** `account:number` with a number up to the account's bound: no two endpoints have the same. */
  readonly placeKey?: string;
  /** See DueEndpoints. */
  readonly dueAtMs?: number;
  readonly dueTurn?: number | null;
}

type Endpoints = Documents<EndpointDocument>;

/** Where the secrets are that sign deliveries. */
export const SEALED_SIGNING_SECRETS: SealedMember = {
  collection: 'webhook_endpoints',
  member: 'secrets',
  recordOf: (endpointId) => endpointId,
};

/** Endpoints in the collection `webhook_endpoints`. */
export function createEndpointStore(store: MongoStore): EndpointStore {
  const documents = endpointDocuments(store);
  return { ...reads(documents), ...changes(documents) };
}

export function endpointDocuments(store: MongoStore): Endpoints {
  return documentsOf<EndpointDocument>(store, 'webhook_endpoints');
}

function reads(documents: Endpoints) {
  const many = async (filter: Record<string, unknown>): Promise<readonly Endpoint[]> =>
    (await documents.list(filter)).map(fromEndpointDocument);
  return {
    async find(endpointId) {
      const [found] = await many({ _id: endpointId });
      return found;
    },
    async list(accountId, { after, limit }) {
      const filter = { accountId, ...afterId(after as EndpointId | undefined) };
      const found = await documents.list(filter, { sort: { _id: 1 }, limit });
      return found.map(fromEndpointDocument);
    },
    async listAutoDisabled(limit) {
      // Both values of `operator`, because the index begins with it.
      const filter = { operator: { $in: [false, true] }, status: 'auto_disabled' } as const;
      const found = await documents.list(filter, { limit });
      return found.map(fromEndpointDocument);
    },
    subscribers: (audience, event) =>
      many({
        ...(audience.kind === 'operators' ? { operator: true } : { accountId: audience.accountId }),
        status: 'enabled',
        events: event,
      }),
  } satisfies Partial<EndpointStore>;
}

function changes(documents: Endpoints) {
  return {
    insert: (endpoint, endpointsMax) => insertWithPlace(documents, endpoint, endpointsMax),
    update(endpoint, expectedRevision, forgive) {
      // Deliveries write health and sequence meanwhile.
      const { url, events, status, description, operator, secrets, lastRotationId } = endpoint;
      const rotation = withoutUndefined({ lastRotationId });
      const health = forgive ? { consecutiveFailures: 0, failingSinceMs: null } : {};
      return documents.update(
        { _id: endpoint.id, revision: expectedRevision },
        {
          $set: { url, events, status, description, operator, secrets, ...rotation, ...health },
          $inc: { revision: 1 },
        },
      );
    },
    autoDisable: (endpointId, url) =>
      documents.update(
        { _id: endpointId, status: 'enabled', url },
        { $set: { status: 'auto_disabled' }, $inc: { revision: 1 } },
      ),
    async noteAttempt(endpointId, url, { succeeded, statusCode, atMs }) {
      const seen = { lastDeliveryAtMs: atMs, lastStatusCode: statusCode };
      if (!succeeded) {
        const first = { _id: endpointId, url, failingSinceMs: null };
        await documents.update(first, { $set: { failingSinceMs: atMs } });
      }
      const updated = await withDatabaseFailures(() =>
        documents
          .collection()
          .findOneAndUpdate(
            { _id: endpointId, url },
            succeeded
              ? { $set: { ...seen, consecutiveFailures: 0, failingSinceMs: null } }
              : { $set: seen, $inc: { consecutiveFailures: 1 } },
            { returnDocument: 'after' },
          ),
      );
      return updated === null ? undefined : fromEndpointDocument(updated);
    },
    async raiseSequence(endpointId, sequence) {
      await documents.update({ _id: endpointId }, { $max: { lastSequence: sequence } });
    },
    remove: (accountId, endpointId) =>
      documents.remove({ _id: endpointId as EndpointId, accountId }),
  } satisfies Partial<EndpointStore>;
}

/**
 * The endpoint is inserted with the lowest number that no other of the account has. The unique
 * index lets one of those pass who choose the same number together; the others look again.
 */
async function insertWithPlace(
  documents: Endpoints,
  { id, ...fields }: Endpoint,
  endpointsMax: number,
): Promise<'inserted' | 'exists' | 'full'> {
  const { accountId } = fields;
  // Each lost attempt means that another endpoint of the account was inserted.
  for (let attempt = 0; attempt <= endpointsMax; attempt += 1) {
    const present = await documents.list({ accountId });
    if (present.some(({ _id }) => _id === id)) return 'exists';
    if (present.length >= endpointsMax) return 'full';
    const taken = new Set(present.map(({ placeKey }) => placeKey));
    const places = Array.from({ length: endpointsMax }, (_, at) => `${accountId}:${at + 1}`);
    const placeKey = places.find((place) => !taken.has(place));
    if (placeKey === undefined) return 'full';
    if (await documents.insert({ _id: id, ...fields, placeKey })) return 'inserted';
  }
  return 'full';
}

export function fromEndpointDocument(document: EndpointDocument): Endpoint {
  const { _id: id, placeKey: _, dueAtMs: __, dueTurn: ___, ...fields } = document;
  return { ...fields, id };
}
