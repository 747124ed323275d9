import { type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
import type { FirstStartState, FirstStartStore } from '../domain/ports';
import { COLLECTIONS, defineModel, insertOnce } from './document-model';

interface FirstStartDocument extends Omit<FirstStartState, 'claimedAtMs'> {
  readonly _id: string;
  readonly claimedAt: Date;
}

/** The only document of the collection. */
const ID = 'first-start';

export function createFirstStartStore(store: MongoStore): FirstStartStore {
  const states = defineModel<FirstStartDocument>(store, COLLECTIONS.firstStart, {
    accountId: String,
    userId: String,
    keyId: String,
    claimedAt: Date,
    made: Boolean,
    credited: Boolean,
  });
  const users = () => store.connection.collection(COLLECTIONS.users);
  const mark = async (fields: Partial<FirstStartDocument>): Promise<void> => {
    await withDatabaseFailures(() => states.updateOne({ _id: ID }, { $set: fields }));
  };
  return {
    async read() {
      const found = await withDatabaseFailures(() =>
        states.findOne({ _id: ID }).lean<FirstStartDocument>(),
      );
      if (found === null) return undefined;
      const { _id, claimedAt, ...rest } = found;
      return { ...rest, claimedAtMs: claimedAt.getTime() };
    },
    async claim({ claimedAtMs, ...rest }) {
      const document = { ...rest, _id: ID, claimedAt: new Date(claimedAtMs) };
      return (await insertOnce(states, document)) === 'inserted';
    },
    async reclaim(previousMs, claimedAtMs) {
      const unchanged = { _id: ID, claimedAt: new Date(previousMs), made: false };
      const result = await withDatabaseFailures(() =>
        states.updateOne(unchanged, { $set: { claimedAt: new Date(claimedAtMs) } }),
      );
      return result.matchedCount === 1;
    },
    markMade: () => mark({ made: true }),
    markCredited: () => mark({ credited: true }),
    async anyUserExists() {
      const found = await withDatabaseFailures(() =>
        users().findOne({}, { projection: { _id: 1 } }),
      );
      return found !== null;
    },
  };
}
