import { documentsOf, type MongoStore } from '@tollgate/mongo';
import type { AccountRemnantStore, ErasureStore } from '../domain/ports';

interface ErasureDocument {
  /** The account. */
  readonly _id: string;
  readonly times: number;
}

/** Erasures in the collection `webhook_erasures`, until they are done. */
export function createErasureStore(store: MongoStore): ErasureStore {
  const documents = documentsOf<ErasureDocument>(store, 'webhook_erasures');
  return {
    begin: (accountId) => documents.upsert({ _id: accountId }, { $inc: { times: 1 } }),
    async listOpen({ after, limit }) {
      const filter = after === undefined ? {} : { _id: { $gt: after } };
      const found = await documents.list(filter, { sort: { _id: 1 }, limit });
      return found.map(({ _id: accountId, times }) => ({ accountId, times: Number(times) }));
    },
    async end({ accountId, times }) {
      await documents.remove({ _id: accountId, times });
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
  const of = (name: string) => documentsOf<Remnant>(store, name);
  return {
    async removeOf(accountId) {
      const own = { _id: { $gte: `${accountId} `, $lt: `${accountId}${AFTER_SPACE}` } };
      for (const name of ['webhook_denials', 'webhook_refusals']) await of(name).removeMany(own);
      // These keys were the account's own: nobody can send them again.
      await of('webhook_idempotency').removeMany({ 'answer.accountId': accountId });
    },
  };
}
