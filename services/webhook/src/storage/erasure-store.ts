import { type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
import type { AccountRemnantStore, ErasureStore } from '../domain/ports';

interface ErasureDocument {
  /** The account. */
  readonly _id: string;
  readonly times: number;
}

/** Erasures in the collection `webhook_erasures`, until they are done. */
export function createErasureStore(store: MongoStore): ErasureStore {
  const documents = () => store.connection.collection<ErasureDocument>('webhook_erasures');
  return {
    async begin(accountId) {
      await withDatabaseFailures(() =>
        documents().updateOne({ _id: accountId }, { $inc: { times: 1 } }, { upsert: true }),
      );
    },
    async listOpen({ after, limit }) {
      const filter = after === undefined ? {} : { _id: { $gt: after } };
      const found = await withDatabaseFailures(() =>
        documents().find(filter).sort({ _id: 1 }).limit(limit).toArray(),
      );
      return found.map(({ _id: accountId, times }) => ({ accountId, times: Number(times) }));
    },
    async end({ accountId, times }) {
      await withDatabaseFailures(() => documents().deleteOne({ _id: accountId, times }));
    },
  };
}

/** Follows the separator in the order of texts. */
const AFTER_SPACE = '!';

interface Remnant {
  readonly _id: string;
  readonly answer?: { readonly accountId: string };
}

/** What is kept under an id that begins with the account, and answers that hold its endpoints. */
export function createAccountRemnantStore(store: MongoStore): AccountRemnantStore {
  const of = (name: string) => store.connection.collection<Remnant>(name);
  return {
    async removeOf(accountId) {
      const own = { _id: { $gte: `${accountId} `, $lt: `${accountId}${AFTER_SPACE}` } };
      for (const name of ['webhook_denials', 'webhook_refusals']) {
        await withDatabaseFailures(() => of(name).deleteMany(own));
      }
      // These keys were the account's own: nobody can send them again.
      await withDatabaseFailures(() =>
        of('webhook_idempotency').deleteMany({ 'answer.accountId': accountId }),
      );
    },
  };
}
