import { beginningWith, documentsOf, type MongoStore } from '@tollgate/mongo';
import type { RemnantStore } from '../domain/ports';

interface Remnant {
  readonly _id: string;
  readonly answer?: { readonly accountId: string };
}

/** What is kept under an id that begins with the account, and answers that hold its endpoints. */
export function createRemnantStore(store: MongoStore): RemnantStore {
  const of = (name: string) => documentsOf<Remnant>(store, name);
  return {
    async removeOf(accountId) {
      const own = { _id: beginningWith(`${accountId} `) };
      for (const name of ['webhook_denials', 'webhook_refusals']) await of(name).removeMany(own);
      // These keys were the account's own: nobody can send them again.
      await of('webhook_idempotency').removeMany({ 'answer.accountId': accountId });
    },
  };
}
