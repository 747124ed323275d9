import type { AccountId, ChannelId, Clock } from '@tollgate/core';
import { createId } from '@tollgate/core';
import { type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
import {
  type Channel,
  type ChannelHealth,
  DEFAULT_TIMEOUTS,
  UNKNOWN_HEALTH,
} from '../domain/channel';
import type { ChannelStore, OutgoingFact, RecordedCheck } from '../domain/ports';

/** A fact that waits in its channel's document until it is published. */
export interface StoredFact {
  readonly id: string;
  readonly type: OutgoingFact['type'];
  readonly reason: string;
  readonly atMs: number;
}

/** A channel as it lies in the store. */
export interface ChannelDocument extends Omit<Channel, 'id'> {
  readonly _id: string;
  readonly lastCheck?: RecordedCheck;
  readonly outbox: readonly StoredFact[];
}

/** What waits to be published, with the channel that it is about. */
export interface PendingFact {
  readonly channel: Channel;
  readonly fact: StoredFact;
}

/** The channel store, and its outbox for the relay. */
export interface MongoChannelStore extends ChannelStore {
  pendingFacts(limit: number): Promise<readonly PendingFact[]>;
  removeFact(channelId: string, factId: string): Promise<void>;
}

/** Channels in the collection `channels`. */
export function createChannelStore(store: MongoStore, clock: Clock): MongoChannelStore {
  const documents = () => store.connection.collection<ChannelDocument>('channels');
  const one = async (filter: Record<string, unknown>): Promise<Channel | undefined> => {
    const found = await withDatabaseFailures(() => documents().findOne(filter));
    return found === null ? undefined : fromDocument(found);
  };
  return {
    get: (id) => one({ _id: id }),
    async insert(channel) {
      const document = { ...toDocument(channel), outbox: [] };
      await withDatabaseFailures(() => documents().insertOne(document));
    },
    async list(limit, afterId) {
      const filter = afterId === undefined ? {} : { _id: { $gt: afterId } };
      const found = await withDatabaseFailures(() =>
        documents().find(filter).sort({ _id: 1 }).limit(limit).toArray(),
      );
      return found.map(fromDocument);
    },
    async listAll() {
      const found = await withDatabaseFailures(() =>
        documents().find({}).sort({ _id: 1 }).toArray(),
      );
      return found.map(fromDocument);
    },
    count: () => withDatabaseFailures(() => documents().countDocuments({})),
    async replace(channel, expectedUpdatedAtMs, fact, check) {
      const { _id, ...fields } = toDocument(channel);
      const push = fact === undefined ? {} : { $push: { outbox: toStoredFact(fact, clock.now()) } };
      const written = await withDatabaseFailures(() =>
        documents().updateOne({ _id, updatedAtMs: expectedUpdatedAtMs }, {
          $set: { ...fields, ...toLastCheck(check) },
          ...push,
        } as never),
      );
      return written.matchedCount === 1;
    },
    async setHealth(id: string, health: ChannelHealth, check) {
      const fields = { health, ...toLastCheck(check) };
      await withDatabaseFailures(() => documents().updateOne({ _id: id }, { $set: fields }));
    },
    async findCheck(id, checkId) {
      const filter = { _id: id, 'lastCheck.id': checkId };
      const found = await withDatabaseFailures(() => documents().findOne(filter));
      if (found?.lastCheck === undefined) return undefined;
      const { id: _, ...check } = found.lastCheck;
      return check;
    },
    async delete(id) {
      const deleted = await withDatabaseFailures(() => documents().deleteOne({ _id: id }));
      return deleted.deletedCount === 1;
    },
    async serves(model) {
      return (await one({ 'models.name': model })) !== undefined;
    },
    async pendingFacts(limit) {
      const found = await withDatabaseFailures(() =>
        documents()
          .find({ 'outbox.id': { $exists: true } })
          .limit(limit)
          .toArray(),
      );
      return found.flatMap((document) =>
        document.outbox.map((fact) => ({ channel: fromDocument(document), fact })),
      );
    },
    async removeFact(channelId, factId) {
      await withDatabaseFailures(() =>
        documents().updateOne({ _id: channelId }, { $pull: { outbox: { id: factId } } } as never),
      );
    },
  };
}

function toStoredFact(fact: OutgoingFact, atMs: number): StoredFact {
  return { id: createId('event'), type: fact.type, reason: fact.reason, atMs };
}

function toLastCheck(
  lastCheck: RecordedCheck | undefined,
): Partial<Pick<ChannelDocument, 'lastCheck'>> {
  return lastCheck === undefined ? {} : { lastCheck };
}

/** Without what only the store knows. */
function toDocument({ id, ...fields }: Channel): Omit<ChannelDocument, 'outbox' | 'lastCheck'> {
  return { _id: id, ...fields };
}

function fromDocument(document: ChannelDocument): Channel {
  const { _id, lastCheck: _, outbox: __, ...fields } = document;
  return {
    ...fields,
    // A document of an earlier version lacks what came later.
    timeouts: { ...DEFAULT_TIMEOUTS, ...fields.timeouts },
    health: { ...UNKNOWN_HEALTH, ...fields.health },
    id: _id as ChannelId,
    ownerAccountId: fields.ownerAccountId as AccountId | null,
  };
}
