import type { MongoStore } from '@tollgate/mongo';
import { RESTORE_MARK } from './collections';

interface MarkDocument {
  readonly _id: string;
  readonly backup: string;
  /** Collections that are whole. */
  readonly done: readonly string[];
}

const ID = 'restore';

/** How far the restore of one backup came, in the store that is restored. */
export interface RestoreMark {
  /** An earlier restore of the same backup did not come to its end. */
  isOfThisBackup(): Promise<boolean>;
  begin(): Promise<void>;
  has(collection: string): Promise<boolean>;
  add(collection: string): Promise<void>;
  end(): Promise<void>;
}

export function createRestoreMark(store: MongoStore, backup: string): RestoreMark {
  const marks = () => store.connection.collection<MarkDocument>(RESTORE_MARK);
  const read = () => marks().findOne({ _id: ID, backup });
  return {
    isOfThisBackup: async () => (await read()) !== null,
    async begin() {
      const $set = { backup, done: [] };
      await marks().updateOne({ _id: ID }, { $set }, { upsert: true });
    },
    has: async (collection) => (await read())?.done.includes(collection) === true,
    async add(collection) {
      await marks().updateOne({ _id: ID, backup }, { $push: { done: collection } });
    },
    async end() {
      await marks().deleteMany({});
    },
  };
}
