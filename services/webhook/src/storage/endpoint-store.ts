import { withoutUndefined } from '@tollgate/core';
import {
  AS_IS,
  afterId,
  ID,
  type MongoStore,
  type RecordForm,
  recordsOf,
  type SealedMember,
  withDatabaseFailures,
} from '@tollgate/mongo';
import type { Endpoint, EndpointId } from '../domain/endpoint';
import type { EndpointStore } from '../domain/ports';
import { COLLECTIONS } from './collections';

/** An endpoint at rest. */
export interface StoredEndpoint extends Endpoint {
  /** `account:number` with a number up to the account's bound: no two endpoints have the same. */
  readonly placeKey?: string;
  /** See DueEndpoints. */
  readonly dueAtMs?: number;
  readonly dueTurn?: number | null;
}

/** Nothing is decoded: a damaged document must not keep others from being listed with it. */
const ENDPOINT = {
  url: AS_IS,
  description: AS_IS,
  status: AS_IS,
  events: AS_IS,
  lastDeliveryAtMs: AS_IS,
  lastStatusCode: AS_IS,
  consecutiveFailures: AS_IS,
  failingSinceMs: AS_IS,
  id: ID,
  accountId: AS_IS,
  operator: AS_IS,
  secrets: AS_IS,
  createdAtMs: AS_IS,
  revision: AS_IS,
  lastSequence: AS_IS,
  placeKey: AS_IS,
  dueTurn: AS_IS,
  dueAtMs: AS_IS,
  lastRotationId: AS_IS,
} satisfies RecordForm<StoredEndpoint>;

type Endpoints = ReturnType<typeof storedEndpoints>;

/** Where the secrets are that sign deliveries. */
export const SEALED_SIGNING_SECRETS: SealedMember = {
  collection: COLLECTIONS.endpoints,
  member: 'secrets',
  recordOf: (endpointId) => endpointId,
};

export function createEndpointStore(mongo: MongoStore): EndpointStore {
  const stored = storedEndpoints(mongo);
  return { ...reads(stored), ...changes(stored) };
}

/** Endpoints with what their documents have besides. */
export function storedEndpoints(mongo: MongoStore) {
  return recordsOf<StoredEndpoint, typeof ENDPOINT>(mongo, COLLECTIONS.endpoints, ENDPOINT);
}

function reads(stored: Endpoints) {
  const many = async (filter: Record<string, unknown>): Promise<readonly Endpoint[]> =>
    (await stored.list(filter)).map(fromStored);
  return {
    async find(endpointId) {
      const [found] = await many({ _id: endpointId });
      return found;
    },
    async list(accountId, { after, limit }) {
      const filter = { accountId, ...afterId(after as EndpointId | undefined) };
      const found = await stored.list(filter, { sort: { _id: 1 }, limit });
      return found.map(fromStored);
    },
    async listAutoDisabled(limit) {
      // Both values of `operator`, because the index begins with it.
      const filter = { operator: { $in: [false, true] }, status: 'auto_disabled' } as const;
      const found = await stored.list(filter, { limit });
      return found.map(fromStored);
    },
    subscribers: (audience, event) =>
      many({
        ...(audience.kind === 'operators' ? { operator: true } : { accountId: audience.accountId }),
        status: 'enabled',
        events: event,
      }),
  } satisfies Partial<EndpointStore>;
}

function changes(stored: Endpoints) {
  return {
    insert: (endpoint, endpointsMax) => insertWithPlace(stored, endpoint, endpointsMax),
    update(endpoint, expectedRevision, forgive) {
      // Deliveries write health and sequence meanwhile.
      const { url, events, status, description, operator, secrets, lastRotationId } = endpoint;
      const rotation = withoutUndefined({ lastRotationId });
      const health = forgive ? { consecutiveFailures: 0, failingSinceMs: null } : {};
      return stored.update(
        { _id: endpoint.id, revision: expectedRevision },
        {
          $set: { url, events, status, description, operator, secrets, ...rotation, ...health },
          $inc: { revision: 1 },
        },
      );
    },
    autoDisable: (endpointId, url) =>
      stored.update(
        { _id: endpointId, status: 'enabled', url },
        { $set: { status: 'auto_disabled' }, $inc: { revision: 1 } },
      ),
    async updateHealth(endpointId, url, { succeeded, statusCode, atMs }) {
      const seen = { lastDeliveryAtMs: atMs, lastStatusCode: statusCode };
      if (!succeeded) {
        const first = { _id: endpointId, url, failingSinceMs: null };
        await stored.update(first, { $set: { failingSinceMs: atMs } });
      }
      const updated = await withDatabaseFailures(() =>
        stored
          .collection()
          .findOneAndUpdate(
            { _id: endpointId, url },
            succeeded
              ? { $set: { ...seen, consecutiveFailures: 0, failingSinceMs: null } }
              : { $set: seen, $inc: { consecutiveFailures: 1 } },
            { returnDocument: 'after' },
          ),
      );
      return updated === null ? undefined : { failingSinceMs: updated.failingSinceMs ?? null };
    },
    async raiseSequence(endpointId, sequence) {
      await stored.update({ _id: endpointId }, { $max: { lastSequence: sequence } });
    },
    remove: (accountId, endpointId) => stored.remove({ _id: endpointId as EndpointId, accountId }),
  } satisfies Partial<EndpointStore>;
}

/**
 * The endpoint is inserted with the lowest number that no other of the account has. The unique
 * index lets one of those pass who choose the same number together; the others look again.
 */
async function insertWithPlace(
  stored: Endpoints,
  endpoint: Endpoint,
  endpointsMax: number,
): Promise<'inserted' | 'exists' | 'full'> {
  const { id, accountId } = endpoint;
  // Each lost attempt means that another endpoint of the account was inserted.
  for (let attempt = 0; attempt <= endpointsMax; attempt += 1) {
    const present = await stored.list({ accountId });
    if (present.some((other) => other.id === id)) return 'exists';
    if (present.length >= endpointsMax) return 'full';
    const taken = new Set(present.map(({ placeKey }) => placeKey));
    const places = Array.from({ length: endpointsMax }, (_, at) => `${accountId}:${at + 1}`);
    const placeKey = places.find((place) => !taken.has(place));
    if (placeKey === undefined) return 'full';
    if (await stored.insert({ ...endpoint, placeKey })) return 'inserted';
  }
  return 'full';
}

export function fromStored(stored: StoredEndpoint): Endpoint {
  const { placeKey: _, dueAtMs: __, dueTurn: ___, lastRotationId, ...endpoint } = stored;
  // Where it is absent it stays so: an answer that is kept would have it as null.
  return { ...endpoint, ...withoutUndefined({ lastRotationId }) };
}
