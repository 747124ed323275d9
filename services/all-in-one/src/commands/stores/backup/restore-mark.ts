import { type MongoStore, RESTORE_MARK_ID, RESTORE_MARKS } from '@tollgate/mongo';

interface MarkDocument {
  readonly _id: string;
  readonly backup: string;
  /** When the restore began; absent where an earlier version began it. */
  readonly began_at?: string;
  /** Collections that are whole. */
  readonly done: readonly string[];
}

/** How far the restore of one backup came, in the store that is restored. */
export interface RestoreMark {
  /** An earlier restore of the same backup did not come to its end. */
  isOfThisBackup(): Promise<boolean>;
  begin(at: string): Promise<void>;
  /** Of this restore alone, and the same when it goes on: when it began. */
  name(): Promise<string>;
  has(collection: string): Promise<boolean>;
  add(collection: string): Promise<void>;
  end(): Promise<void>;
}

export function createRestoreMark(store: MongoStore, backup: string): RestoreMark {
  const marks = () => store.connection.collection<MarkDocument>(RESTORE_MARKS);
  const read = () => marks().findOne({ _id: RESTORE_MARK_ID, backup });
  return {
    isOfThisBackup: async () => (await read()) !== null,
    async begin(at) {
      const $set = { backup, began_at: at, done: [] };
      await marks().updateOne({ _id: RESTORE_MARK_ID }, { $set }, { upsert: true });
    },
    name: async () => (await read())?.began_at ?? backup,
    has: async (collection) => (await read())?.done.includes(collection) === true,
    async add(collection) {
      await marks().updateOne({ _id: RESTORE_MARK_ID, backup }, { $push: { done: collection } });
    },
    async end() {
      await marks().deleteMany({});
    },
  };
}
