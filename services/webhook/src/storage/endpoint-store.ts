import { isDuplicateKey, type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
import type { Collection } from 'mongoose';
import type { Endpoint, EndpointId } from '../domain/endpoint';
import type { EndpointStore } from '../domain/ports';

interface EndpointDocument extends Omit<Endpoint, 'id'> {
  readonly _id: EndpointId;
}

type Documents = () => Collection<EndpointDocument>;

/** Endpoints in the collection `webhook_endpoints`. */
export function createEndpointStore(store: MongoStore): EndpointStore {
  const documents = () => store.connection.collection<EndpointDocument>('webhook_endpoints');
  return { ...reads(documents), ...changes(documents) };
}

function reads(
  documents: Documents,
): Pick<EndpointStore, 'get' | 'getMany' | 'list' | 'count' | 'subscribers'> {
  const many = async (filter: Record<string, unknown>): Promise<readonly Endpoint[]> => {
    const found = await withDatabaseFailures(() => documents().find(filter).toArray());
    return found.map(fromDocument);
  };
  return {
    async get(endpointId) {
      const [found] = await many({ _id: endpointId });
      return found;
    },
    getMany: (endpointIds) => many({ _id: { $in: [...endpointIds] } }),
    async list(accountId, limit, afterId) {
      const after = afterId === undefined ? {} : { _id: { $gt: afterId as EndpointId } };
      const found = await withDatabaseFailures(() =>
        documents()
          .find({ accountId, ...after })
          .sort({ _id: 1 })
          .limit(limit)
          .toArray(),
      );
      return found.map(fromDocument);
    },
    count: (accountId) => withDatabaseFailures(() => documents().countDocuments({ accountId })),
    subscribers: (audience, event) =>
      many({
        ...(audience.kind === 'operators' ? { operator: true } : { accountId: audience.accountId }),
        status: 'enabled',
        events: event,
      }),
  };
}

function changes(
  documents: Documents,
): Pick<
  EndpointStore,
  'insert' | 'replace' | 'autoDisable' | 'noteAttempt' | 'raiseSequence' | 'delete'
> {
  return {
    async insert({ id, ...fields }) {
      try {
        await documents().insertOne({ _id: id, ...fields });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        return withDatabaseFailures(() => Promise.reject(error));
      }
    },
    async replace(endpoint, expectedRevision, forgive) {
      // Deliveries write health and sequence meanwhile.
      const { url, events, status, description, operator, secrets, lastRotationId } = endpoint;
      const rotation = lastRotationId === undefined ? {} : { lastRotationId };
      const health = forgive ? { consecutiveFailures: 0, failingSinceMs: null } : {};
      const written = await withDatabaseFailures(() =>
        documents().updateOne(
          { _id: endpoint.id, revision: expectedRevision },
          {
            $set: {
              ...{ url, events, status, description, operator, secrets },
              ...rotation,
              ...health,
            },
            $inc: { revision: 1 },
          },
        ),
      );
      return written.matchedCount === 1;
    },
    async autoDisable(endpointId, url) {
      const written = await withDatabaseFailures(() =>
        documents().updateOne(
          { _id: endpointId, status: 'enabled', url },
          { $set: { status: 'auto_disabled' }, $inc: { revision: 1 } },
        ),
      );
      return written.matchedCount === 1;
    },
    async noteAttempt(endpointId, { succeeded, statusCode, atMs }) {
      const seen = { lastDeliveryAtMs: atMs, lastStatusCode: statusCode };
      if (!succeeded) {
        await withDatabaseFailures(() =>
          documents().updateOne(
            { _id: endpointId, failingSinceMs: null },
            { $set: { failingSinceMs: atMs } },
          ),
        );
      }
      const updated = await withDatabaseFailures(() =>
        documents().findOneAndUpdate(
          { _id: endpointId },
          succeeded
            ? { $set: { ...seen, consecutiveFailures: 0, failingSinceMs: null } }
            : { $set: seen, $inc: { consecutiveFailures: 1 } },
          { returnDocument: 'after' },
        ),
      );
      return updated === null ? undefined : fromDocument(updated);
    },
    async raiseSequence(endpointId, sequence) {
      await withDatabaseFailures(() =>
        documents().updateOne({ _id: endpointId }, { $max: { lastSequence: sequence } }),
      );
    },
    async delete(accountId, endpointId) {
      const deleted = await withDatabaseFailures(() =>
        documents().deleteOne({ _id: endpointId as EndpointId, accountId }),
      );
      return deleted.deletedCount === 1;
    },
  };
}

function fromDocument(document: EndpointDocument): Endpoint {
  const { _id: id, ...fields } = document;
  return { ...fields, id };
}
