import { DAY_MS } from '@tollgate/core';
import { documentsOf, type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
import { COLLECTIONS } from './collections';

/** Buckets that are kept for a time and then thrown away; days are kept for ever. */
const EXPIRING = ['minute', 'hour'] as const;
type Expiring = (typeof EXPIRING)[number];

/** How long figures are kept. */
export type RetentionDays = Readonly<Record<Expiring, number>>;
/** From when on nothing was thrown away by an earlier, shorter setting; 0 when there was none. */
export type KeptSinceAtMs = Readonly<Record<Expiring, number>>;

interface RetentionDocument {
  readonly _id: Expiring;
  /** Wall clock; the name is the released one. */
  readonly keptSinceMs: number;
}

export const DAY_SECONDS = DAY_MS / 1000;

/**
 * Makes the store keep figures as long as is configured now, and remembers what a shorter setting
 * has thrown away before: that comes back by no setting. Safe to run twice and beside others.
 */
export async function applyRetention(
  mongo: MongoStore,
  days: RetentionDays,
  now: number,
): Promise<KeptSinceAtMs> {
  await withDatabaseFailures(async () => {
    const figures = mongo.connection.collection(COLLECTIONS.figures);
    const retention = mongo.connection.collection<RetentionDocument>(COLLECTIONS.retention);
    const present = await figures.indexes();
    for (const granularity of EXPIRING) {
      const name = expiryIndexName(granularity);
      const seconds = Number(present.find((index) => index.name === name)?.expireAfterSeconds ?? 0);
      const wanted = days[granularity] * DAY_SECONDS;
      if (seconds === wanted) continue;
      if (seconds > 0 && seconds < wanted) {
        const keptSinceAtMs = now - seconds * 1000;
        // Before the index: a crash in between forgets nothing.
        await retention.updateOne(
          { _id: granularity },
          { $max: { keptSinceMs: keptSinceAtMs } },
          { upsert: true },
        );
      }
      if (seconds > 0) await changeExpiry(mongo, name, wanted);
      else await buildExpiryIndex(mongo, granularity, wanted);
    }
  });
  return readKeptSince(mongo);
}

/** What the starts of all replicas have remembered until now. */
export async function readKeptSince(mongo: MongoStore): Promise<KeptSinceAtMs> {
  const kept = await documentsOf<RetentionDocument>(mongo, COLLECTIONS.retention).list({});
  const of = (granularity: Expiring) =>
    kept.find(({ _id }) => _id === granularity)?.keptSinceMs ?? 0;
  return { minute: of('minute'), hour: of('hour') };
}

/** Of the index that removes figures of the granularity. */
export function expiryIndexName(granularity: Expiring): string {
  return `expire_${granularity}`;
}

/** Changes the time in place: an index of many figures is not built again for it. */
async function changeExpiry(
  mongo: MongoStore,
  name: string,
  expireAfterSeconds: number,
): Promise<void> {
  const { connection } = mongo;
  const database = connection.getClient().db(connection.name);
  await database.command({ collMod: COLLECTIONS.figures, index: { name, expireAfterSeconds } });
}

/** Over many figures it takes longer than any command of the service may. */
async function buildExpiryIndex(
  mongo: MongoStore,
  granularity: Expiring,
  expireAfterSeconds: number,
): Promise<void> {
  const patient = mongo.withoutTimeout();
  await patient.connect();
  try {
    await patient.connection.collection(COLLECTIONS.figures).createIndex(
      { start: 1 },
      {
        name: expiryIndexName(granularity),
        expireAfterSeconds,
        partialFilterExpression: { granularity },
      },
    );
  } finally {
    await patient.close();
  }
}
