import {
  AS_IS,
  dated,
  documentsOf,
  type MongoStore,
  type RecordForm,
  recordsOf,
} from '@tollgate/mongo';
import type { FirstStartState, FirstStartStore } from '../domain/ports';
import { COLLECTIONS } from './collections';

const STATE = {
  accountId: AS_IS,
  userId: AS_IS,
  keyId: AS_IS,
  begunAtMs: dated('claimedAt'),
  made: AS_IS,
  credited: AS_IS,
} satisfies RecordForm<FirstStartState>;

/** The only document of the collection. */
const ONLY = { _id: 'first-start' };

export function createFirstStartStore(mongo: MongoStore): FirstStartStore {
  const states = recordsOf<FirstStartState, typeof STATE, typeof ONLY>(
    mongo,
    COLLECTIONS.firstStart,
    STATE,
    () => ONLY,
  );
  return {
    find: () => states.find(ONLY),
    begin: states.insert,
    beginAgain: (keyId, nextKeyId) =>
      states.update({ ...ONLY, keyId, made: false }, { $set: { keyId: nextKeyId } }),
    markMade: (keyId) => states.update({ ...ONLY, keyId, made: false }, { $set: { made: true } }),
    async markCredited() {
      await states.update(ONLY, { $set: { credited: true } });
    },
    async anyUserExists() {
      const users = documentsOf(mongo, COLLECTIONS.users);
      return (await users.find({}, { projection: { _id: 1 } })) !== undefined;
    },
  };
}
