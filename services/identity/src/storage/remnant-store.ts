import { afterId, documentsOf, forgetAnswers, type MongoStore } from '@tollgate/mongo';
import type { EntryPage, RemnantStore } from '../domain/ports';
import { nameIdOf } from './account-store';
import { COLLECTIONS } from './collections';

/** Entries of the audit log that are emptied by one write. */
const ENTRIES_AT_ONCE = 500;

/** Removes across collections what their own stores never remove by user or account. */
export function createRemnantStore(mongo: MongoStore): RemnantStore {
  const of = (name: keyof typeof COLLECTIONS) =>
    documentsOf<{ readonly _id: string; readonly [name: string]: unknown }>(
      mongo,
      COLLECTIONS[name],
    );

  /** Updates a page of entries; answers the id to go on after. */
  const updateEntries = async (
    { field, value, after }: EntryPage,
    update: (ids: readonly string[]) => Promise<unknown>,
  ): Promise<string | undefined> => {
    const order = { projection: { _id: 1 }, sort: { _id: 1 } } as const;
    const found = await of('auditLog').list(
      { [field]: value, ...afterId(after) },
      { ...order, limit: ENTRIES_AT_ONCE },
    );
    const ids = found.map(({ _id }) => _id);
    if (ids.length === 0) return undefined;
    await update(ids);
    return ids.length < ENTRIES_AT_ONCE ? undefined : ids.at(-1);
  };

  return {
    async removeLoginsOf(userId) {
      for (const name of ['sessions', 'refreshTokens', 'resetCodes', 'oauthCodes'] as const) {
        await of(name).removeMany({ userId });
      }
    },
    async removeFormerNames(account) {
      const former = { accountId: account.id, _id: { $ne: nameIdOf(account) } };
      await of('accountNames').removeMany(former);
    },
    forgetAnswers: (effectIds) =>
      forgetAnswers(mongo, COLLECTIONS.idempotency, { effectId: { $in: [...effectIds] } }),
    blankEntries: (page) =>
      updateEntries(page, async (ids) => {
        const _id = { $in: [...ids] };
        await of('auditLog').updateMany({ _id }, { $set: { request: '', before: '', after: '' } });
        if (page.field !== 'accountId') return;
        // Also of people who had left: nothing else leads to their entries.
        const byOwnPeople = { _id, actorAccountId: page.value };
        await of('auditLog').updateMany(byOwnPeople, { $set: { remoteAddress: '' } });
      }),
    blankAddresses: (page) =>
      updateEntries(page, (ids) =>
        of('auditLog').updateMany({ _id: { $in: [...ids] } }, { $set: { remoteAddress: '' } }),
      ),
  };
}
