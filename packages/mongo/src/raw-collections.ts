import { mongo } from 'mongoose';
import { insertNewOnes, withDatabaseFailures } from './failures';
import type { MongoStore } from './store';

/** A document as the store holds it: its BSON, in which every number keeps its type. */
export type RawDocument = Uint8Array;

/** An index as `createIndexes` takes it, in Extended JSON. */
export type IndexSpecification = Readonly<Record<string, unknown>>;

/**
 * All collections of a database, whoever owns them, byte for byte: for copies of the whole. Every
 * method rejects with SERVICE_UNAVAILABLE or DATABASE_ERROR when the store fails.
 */
export interface RawCollections {
  names(): Promise<readonly string[]>;
  /** Documents in the order of their ids, which must be texts; at most a hundred in a page. */
  pages(name: string, filter?: object): AsyncIterable<readonly RawDocument[]>;
  count(name: string): Promise<number>;
  /** Without the one on `_id`, which every collection has. */
  indexes(name: string): Promise<readonly IndexSpecification[]>;
  /** Inserts documents; rejects when one of their ids is there already. */
  insert(name: string, documents: readonly RawDocument[]): Promise<void>;
  /** Inserts documents under other ids; one whose id is there already stays as it is. */
  insertAs(
    name: string,
    documents: readonly RawDocument[],
    toId: (id: string) => string,
  ): Promise<void>;
  createIndexes(name: string, indexes: readonly IndexSpecification[]): Promise<void>;
  /** Deletes every document; indexes stay. */
  clear(name: string): Promise<void>;
}

const PAGE_SIZE = 100;
const COLLECTIONS_MAX = 1000;
const NAMESPACE_NOT_FOUND = 26;
const { BSON } = mongo;

interface Listed {
  readonly cursor: {
    readonly id: bigint | number;
    readonly firstBatch: readonly { readonly name: string; readonly type: string }[];
  };
}

export function createRawCollections(store: MongoStore): RawCollections {
  const database = () => {
    const { db } = store.connection;
    if (db === undefined) throw new Error('the connection is not open');
    return db;
  };
  const documents = (name: string) => database().collection<{ _id: string }>(name);

  const readPage = async (name: string, filter: object): Promise<readonly RawDocument[]> => {
    const options = { raw: true, sort: { _id: 1 }, limit: PAGE_SIZE } as const;
    const found: unknown = await withDatabaseFailures(() =>
      documents(name).find(filter, options).toArray(),
    );
    return found as readonly RawDocument[];
  };

  /** Texts stand before objects in the order of ids: what comes after them would be missed. */
  const requireTextIds = async (name: string): Promise<void> => {
    const [last] = await withDatabaseFailures(() =>
      documents(name)
        .find({}, { projection: { _id: 1 } })
        .sort({ _id: -1 })
        .limit(1)
        .toArray(),
    );
    if (last !== undefined) requireText(name, last._id);
  };

  return {
    async names() {
      const list = { listCollections: 1, nameOnly: true, cursor: { batchSize: COLLECTIONS_MAX } };
      const { cursor } = (await withDatabaseFailures(() => database().command(list))) as Listed;
      if (BigInt(cursor.id) !== 0n)
        throw new Error(`there are over ${COLLECTIONS_MAX} collections`);
      return cursor.firstBatch
        .filter(({ name, type }) => type === 'collection' && !name.startsWith('system.'))
        .map(({ name }) => name);
    },
    async *pages(name, filter = {}) {
      await requireTextIds(name);
      let page = await readPage(name, filter);
      while (page.length > 0) {
        yield page;
        const after = idOf(name, page.at(-1));
        page = await readPage(name, { ...filter, _id: { $gt: after } });
      }
    },
    count: (name) => withDatabaseFailures(() => documents(name).countDocuments({})),
    async indexes(name) {
      const found = await withDatabaseFailures(() => listIndexes(documents(name)));
      return found
        .filter((index) => index.name !== '_id_')
        .map((index) => BSON.EJSON.serialize(index, { relaxed: true }) as IndexSpecification);
    },
    async insert(name, raw) {
      await withDatabaseFailures(() => documents(name).insertMany(raw.map(parseExactly)));
    },
    async insertAs(name, raw, toId) {
      const renamed = raw.map((bytes) => {
        const document = parseExactly(bytes);
        return { ...document, _id: toId(requireText(name, document._id)) };
      });
      await insertNewOnes(() => documents(name).insertMany(renamed, { ordered: false }));
    },
    async createIndexes(name, indexes) {
      if (indexes.length === 0) return;
      const specifications = indexes.map((index) => BSON.EJSON.deserialize(index) as object);
      const create = { createIndexes: name, indexes: specifications };
      await withDatabaseFailures(() => database().command(create));
    },
    async clear(name) {
      await withDatabaseFailures(() => documents(name).deleteMany({}));
    },
  };
}

/** Numbers stay what they are: an int32 does not become a double. */
function parseExactly(bytes: RawDocument): { _id: string } {
  const exact = { promoteValues: false, promoteBuffers: false, bsonRegExp: true } as const;
  return BSON.deserialize(bytes, exact) as { _id: string };
}

/** None of a collection that is not there. */
async function listIndexes(
  documents: mongo.Collection<{ _id: string }>,
): Promise<readonly mongo.Document[]> {
  try {
    const found: readonly mongo.Document[] = await documents.listIndexes().toArray();
    return found;
  } catch (error) {
    if (error instanceof mongo.MongoServerError && error.code === NAMESPACE_NOT_FOUND) return [];
    throw error;
  }
}

function idOf(name: string, document: RawDocument | undefined): string {
  return requireText(name, document && BSON.deserialize(document)._id);
}

function requireText(name: string, id: unknown): string {
  if (typeof id === 'string') return id;
  throw new Error(`${name} has a document whose id is no text: it was not written by Tollgate`);
}
