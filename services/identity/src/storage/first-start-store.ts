import { documentsOf, type MongoStore } from '@tollgate/mongo';
import type { FirstStartState, FirstStartStore } from '../domain/ports';
import { COLLECTIONS, defineDocuments } from './document-model';

interface FirstStartDocument extends Omit<FirstStartState, 'claimedAtMs'> {
  readonly _id: string;
  readonly claimedAt: Date;
}

/** The only document of the collection. */
const ID = 'first-start';

export function createFirstStartStore(store: MongoStore): FirstStartStore {
  const states = defineDocuments<FirstStartDocument>(store, COLLECTIONS.firstStart, {
    accountId: String,
    userId: String,
    keyId: String,
    claimedAt: Date,
    made: Boolean,
    credited: Boolean,
  });
  const mark = async (fields: Partial<FirstStartDocument>): Promise<void> => {
    await states.update({ _id: ID }, { $set: fields });
  };
  return {
    async read() {
      const found = await states.find({ _id: ID });
      if (found === undefined) return undefined;
      const { _id, claimedAt, ...rest } = found;
      return { ...rest, claimedAtMs: claimedAt.getTime() };
    },
    async claim({ claimedAtMs, ...rest }) {
      const document = { ...rest, _id: ID, claimedAt: new Date(claimedAtMs) };
      return (await states.insert(document)) === 'inserted';
    },
    reclaim(previousMs, claimedAtMs) {
      const unchanged = { _id: ID, claimedAt: new Date(previousMs), made: false };
      return states.update(unchanged, { $set: { claimedAt: new Date(claimedAtMs) } });
    },
    markMade: () => mark({ made: true }),
    markCredited: () => mark({ credited: true }),
    async anyUserExists() {
      const users = documentsOf(store, COLLECTIONS.users);
      return (await users.find({}, { projection: { _id: 1 } })) !== undefined;
    },
  };
}
