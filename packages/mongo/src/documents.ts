import type { Collection, mongo } from 'mongoose';
import { databaseFailure, insertNew, withDatabaseFailures } from './failures';
import type { MongoStore } from './store';

/** What is found: in which order, how many, and with which fields. */
export type FindOptions = Pick<mongo.FindOptions, 'batchSize' | 'limit' | 'projection' | 'sort'>;

/**
 * The documents of one collection, with the commands that stores issue. Each rejects with what
 * `databaseFailure` says when the store fails.
 */
export interface Documents<Document extends { readonly _id: string }> {
  find(filter: mongo.Filter<Document>, options?: FindOptions): Promise<Document | undefined>;
  list(filter: mongo.Filter<Document>, options?: FindOptions): Promise<Document[]>;
  /** What is found, one by one: no more of it is in memory than one batch. */
  each(filter: mongo.Filter<Document>, options?: FindOptions): AsyncGenerator<Document>;
  count(filter: mongo.Filter<Document>, options?: { readonly limit?: number }): Promise<number>;
  /** False when a unique index, such as that of the id, refuses it. */
  insert(document: Document): Promise<boolean>;
  /** Rejects when a unique index refuses it. */
  insertOrReject(document: Document): Promise<void>;
  /** True when there was one to be updated. */
  update(filter: mongo.Filter<Document>, update: mongo.UpdateFilter<Document>): Promise<boolean>;
  /** Found by its id alone: of two who make it at once the store lets the later one update it. */
  upsert(filter: { readonly _id: string }, update: mongo.UpdateFilter<Document>): Promise<void>;
  /** Answers how many there were. */
  updateMany(filter: mongo.Filter<Document>, update: mongo.UpdateFilter<Document>): Promise<number>;
  /** True when there was one to be removed. */
  remove(filter: mongo.Filter<Document>): Promise<boolean>;
  removeMany(filter: mongo.Filter<Document>): Promise<void>;
  /** Removes one and answers it. */
  take(filter: mongo.Filter<Document>): Promise<Document | undefined>;
  /** For all other commands, whose failures are those of the driver. */
  collection(): Collection<Document>;
}

/** A batch is taken in one go: nothing else of the process runs meanwhile. */
const EACH_BATCH = 1_000;

export function documentsOf<Document extends { readonly _id: string }>(
  store: MongoStore,
  name: string,
): Documents<Document> {
  const collection = () => store.connection.collection<Document>(name);
  const insertOne = (document: Document) =>
    collection().insertOne(document as mongo.OptionalUnlessRequiredId<Document>);
  return {
    collection,
    async find(filter, options) {
      const found = await withDatabaseFailures(() => collection().findOne(filter, options));
      return (found ?? undefined) as Document | undefined;
    },
    async list(filter, options) {
      const found = await withDatabaseFailures(() => collection().find(filter, options).toArray());
      return found as Document[];
    },
    async *each(filter, options) {
      try {
        const found = collection().find(filter, { batchSize: EACH_BATCH, ...options });
        for await (const document of found) yield document as Document;
      } catch (error) {
        throw databaseFailure(error);
      }
    },
    count: (filter, options) =>
      withDatabaseFailures(() => collection().countDocuments(filter, options)),
    insert: (document) => insertNew(() => insertOne(document)),
    async insertOrReject(document) {
      await withDatabaseFailures(() => insertOne(document));
    },
    async update(filter, update) {
      const written = await withDatabaseFailures(() => collection().updateOne(filter, update));
      return written.matchedCount === 1;
    },
    async upsert(byId, update) {
      const filter = byId as mongo.Filter<Document>;
      await withDatabaseFailures(() => collection().updateOne(filter, update, { upsert: true }));
    },
    async updateMany(filter, update) {
      const written = await withDatabaseFailures(() => collection().updateMany(filter, update));
      return written.matchedCount;
    },
    async remove(filter) {
      const deleted = await withDatabaseFailures(() => collection().deleteOne(filter));
      return deleted.deletedCount === 1;
    },
    async removeMany(filter) {
      await withDatabaseFailures(() => collection().deleteMany(filter));
    },
    async take(filter) {
      const taken = await withDatabaseFailures(() => collection().findOneAndDelete(filter));
      return (taken ?? undefined) as Document | undefined;
    },
  };
}
