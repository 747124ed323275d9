import { AS_IS, listByTime, type MongoStore, type RecordForm, recordsOf } from '@tollgate/mongo';
import type { DenialSpell } from '../domain/denial-spell';
import type { DenialSpellStore } from '../domain/ports';
import { COLLECTIONS } from './collections';

const SPELL = {
  accountId: AS_IS,
  status: AS_IS,
  beganAtMs: AS_IS,
  lastAtMs: AS_IS,
  overAtMs: AS_IS,
  reason: AS_IS,
  told: AS_IS,
  ending: AS_IS,
  beganEventId: AS_IS,
  endedEventId: AS_IS,
} satisfies RecordForm<DenialSpell>;

/** Spells of denials; one that is over is removed. */
export function createDenialSpellStore(mongo: MongoStore): DenialSpellStore {
  const spells = recordsOf<DenialSpell, typeof SPELL, { readonly _id: string }>(
    mongo,
    COLLECTIONS.denialSpells,
    SPELL,
    (spell) => ({ _id: toId(spell) }),
  );
  return {
    find: (place) => spells.find({ _id: toId(place) }),
    insert: spells.insert,
    extend: (place, { lastAtMs, overAtMs }, now) =>
      spells.update(
        { _id: toId(place), ending: false, overAtMs: { $gte: now } },
        { $max: { lastAtMs, overAtMs } },
      ),
    async markTold({ beganEventId, ...place }) {
      await spells.update({ _id: toId(place), beganEventId }, { $set: { told: true } });
    },
    listOver(now, { after, limit }) {
      const order = { member: 'overAtMs', range: { $lt: now } };
      const last = after && { id: toId(after), atMs: after.overAtMs };
      return listByTime(spells, order, { after: last, limit });
    },
    beginEnd: ({ overAtMs, ...place }) =>
      spells.update({ _id: toId(place), overAtMs }, { $set: { ending: true } }),
    async remove({ beganEventId, ...place }) {
      await spells.remove({ _id: toId(place), beganEventId });
    },
  };
}

function toId({ accountId, status }: Pick<DenialSpell, 'accountId' | 'status'>): string {
  return `${accountId} ${status}`;
}
