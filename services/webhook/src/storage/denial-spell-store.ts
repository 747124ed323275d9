import { insertNew, type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
import type { DenialSpell } from '../domain/denials';
import type { DenialSpellStore } from '../domain/ports';

interface SpellDocument extends DenialSpell {
  readonly _id: string;
}

/** Spells of denials in `webhook_refusals`; one that is over is removed. */
export function createDenialSpellStore(store: MongoStore): DenialSpellStore {
  const documents = () => store.connection.collection<SpellDocument>('webhook_refusals');
  const update = async (filter: object, change: object): Promise<boolean> => {
    const { matchedCount } = await withDatabaseFailures(() =>
      documents().updateOne(filter, change),
    );
    return matchedCount === 1;
  };
  return {
    async find(place) {
      const found = await withDatabaseFailures(() => documents().findOne({ _id: toId(place) }));
      return found === null ? undefined : fromDocument(found);
    },
    insert: (spell) => insertNew(() => documents().insertOne({ ...spell, _id: toId(spell) })),
    extend: (place, { lastAtMs, overAtMs }, nowMs) =>
      update(
        { _id: toId(place), ending: false, overAtMs: { $gte: nowMs } },
        { $max: { lastAtMs, overAtMs } },
      ),
    async markTold({ beganEventId, ...place }) {
      await update({ _id: toId(place), beganEventId }, { $set: { told: true } });
    },
    async listOver(nowMs, limit) {
      const found = await withDatabaseFailures(() =>
        documents()
          .find({ overAtMs: { $lt: nowMs } })
          .limit(limit)
          .toArray(),
      );
      return found.map(fromDocument);
    },
    beginEnd: ({ overAtMs, ...place }) =>
      update({ _id: toId(place), overAtMs }, { $set: { ending: true } }),
    async remove({ beganEventId, ...place }) {
      await withDatabaseFailures(() => documents().deleteOne({ _id: toId(place), beganEventId }));
    },
  };
}

function toId({ accountId, status }: Pick<DenialSpell, 'accountId' | 'status'>): string {
  return `${accountId} ${status}`;
}

function fromDocument({ _id, ...spell }: SpellDocument): DenialSpell {
  return spell;
}
