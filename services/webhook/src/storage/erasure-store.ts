import {
  afterId,
  beginningWith,
  COUNT,
  documentsOf,
  ID,
  type MongoStore,
  type RecordForm,
  recordsOf,
} from '@tollgate/mongo';
import type { Erasure, ErasureStore, RemnantStore } from '../domain/ports';
import { COLLECTIONS } from './collections';

const ERASURE = { accountId: ID, times: COUNT } satisfies RecordForm<Erasure>;

/** Erasures, until they are done. */
export function createErasureStore(mongo: MongoStore): ErasureStore {
  const erasures = recordsOf<Erasure, typeof ERASURE>(mongo, COLLECTIONS.erasures, ERASURE);
  return {
    begin: (accountId) => erasures.upsert({ _id: accountId }, { $inc: { times: 1 } }),
    listOpen: ({ after, limit }) => erasures.list(afterId(after), { sort: { _id: 1 }, limit }),
    async end({ accountId, times }) {
      await erasures.remove({ _id: accountId, times });
    },
  };
}

interface Remnant {
  readonly _id: string;
  readonly answer?: { readonly accountId: string };
}

/** What is kept under an id that begins with the account, and answers that hold its endpoints. */
export function createRemnantStore(mongo: MongoStore): RemnantStore {
  const of = (name: keyof typeof COLLECTIONS) => documentsOf<Remnant>(mongo, COLLECTIONS[name]);
  return {
    async removeOf(accountId) {
      const own = { _id: beginningWith(`${accountId} `) };
      for (const name of ['recentDenials', 'denialSpells'] as const) await of(name).removeMany(own);
      // These keys were the account's own: nobody can send them again.
      await of('idempotency').removeMany({ 'answer.accountId': accountId });
    },
  };
}
