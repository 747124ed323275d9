import { documentsOf, listByTime, type MongoStore } from '@tollgate/mongo';
import type { DenialSpell } from '../domain/denial-spell';
import type { DenialSpellStore } from '../domain/ports';

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
      const order = { member: 'overAtMs', range: { $lt: now } };
      const last = after && { id: after.id, atMs: after.spell.overAtMs };
      const found = await listByTime(documents, order, { after: last, limit });
      return found.map((document) => ({ id: document._id, spell: fromDocument(document) }));
    },
    beginEnd: ({ overAtMs, ...place }) =>
      documents.update({ _id: toId(place), overAtMs }, { $set: { ending: true } }),
    async remove({ beganEventId, ...place }) {
      await documents.remove({ _id: toId(place), beganEventId });
    },
  };
}

function toId({ accountId, status }: Pick<DenialSpell, 'accountId' | 'status'>): string {
  return `${accountId} ${status}`;
}

function fromDocument({ _id, ...spell }: SpellDocument): DenialSpell {
  return spell;
}
