import { insertNew, type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
import type { DenialSpell } from '../domain/denial-spell';
import type { DenialSpellStore, OverSpell } from '../domain/ports';

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
    async listOver(nowMs, { after, limit }) {
      const found: SpellDocument[] = [];
      for (const filter of overAfter(nowMs, after)) {
        const missing = limit - found.length;
        // No limit at all is what 0 means.
        if (missing === 0) break;
        const documentsOfPage = await withDatabaseFailures(() =>
          documents().find(filter).sort({ overAtMs: 1, _id: 1 }).limit(missing).toArray(),
        );
        found.push(...documentsOfPage);
      }
      return found.map((document) => ({ id: document._id, spell: fromDocument(document) }));
    },
    beginEnd: ({ overAtMs, ...place }) =>
      update({ _id: toId(place), overAtMs }, { $set: { ending: true } }),
    async remove({ beganEventId, ...place }) {
      await withDatabaseFailures(() => documents().deleteOne({ _id: toId(place), beganEventId }));
    },
  };
}

/** Spells behind the place: first those that were over at the same time, then later ones. */
function overAfter(nowMs: number, after: OverSpell | undefined): readonly object[] {
  if (after === undefined) return [{ overAtMs: { $lt: nowMs } }];
  const { overAtMs } = after.spell;
  return [{ overAtMs, _id: { $gt: after.id } }, { overAtMs: { $gt: overAtMs, $lt: nowMs } }];
}

function toId({ accountId, status }: Pick<DenialSpell, 'accountId' | 'status'>): string {
  return `${accountId} ${status}`;
}

function fromDocument({ _id, ...spell }: SpellDocument): DenialSpell {
  return spell;
}
