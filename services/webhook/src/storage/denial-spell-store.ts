import { documentsOf, type MongoStore } from '@tollgate/mongo';
import type { DenialSpell } from '../domain/denial-spell';
import type { DenialSpellStore, OverSpell } from '../domain/ports';

interface SpellDocument extends DenialSpell {
  readonly _id: string;
}

/** Spells of denials in `webhook_refusals`; one that is over is removed. */
export function createDenialSpellStore(store: MongoStore): DenialSpellStore {
  const documents = documentsOf<SpellDocument>(store, 'webhook_refusals');
  return {
    async find(place) {
      const found = await documents.find({ _id: toId(place) });
      return found && fromDocument(found);
    },
    insert: (spell) => documents.insert({ ...spell, _id: toId(spell) }),
    extend: (place, { lastAtMs, overAtMs }, now) =>
      documents.update(
        { _id: toId(place), ending: false, overAtMs: { $gte: now } },
        { $max: { lastAtMs, overAtMs } },
      ),
    async markTold({ beganEventId, ...place }) {
      await documents.update({ _id: toId(place), beganEventId }, { $set: { told: true } });
    },
    async listOver(now, { after, limit }) {
      const found: SpellDocument[] = [];
      for (const filter of overAfter(now, after)) {
        const missing = limit - found.length;
        // No limit at all is what 0 means.
        if (missing === 0) break;
        const options = { sort: { overAtMs: 1, _id: 1 }, limit: missing } as const;
        found.push(...(await documents.list(filter, options)));
      }
      return found.map((document) => ({ id: document._id, spell: fromDocument(document) }));
    },
    beginEnd: ({ overAtMs, ...place }) =>
      documents.update({ _id: toId(place), overAtMs }, { $set: { ending: true } }),
    async remove({ beganEventId, ...place }) {
      await documents.remove({ _id: toId(place), beganEventId });
    },
  };
}

/** Spells behind the place: first those that were over at the same time, then later ones. */
function overAfter(now: number, after: OverSpell | undefined): readonly object[] {
  if (after === undefined) return [{ overAtMs: { $lt: now } }];
  const { overAtMs } = after.spell;
  return [{ overAtMs, _id: { $gt: after.id } }, { overAtMs: { $gt: overAtMs, $lt: now } }];
}

function toId({ accountId, status }: Pick<DenialSpell, 'accountId' | 'status'>): string {
  return `${accountId} ${status}`;
}

function fromDocument({ _id, ...spell }: SpellDocument): DenialSpell {
  return spell;
}
