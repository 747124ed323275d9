import { type MongoStore, withDatabaseFailures } from '@tollgate/mongo';

/** Buckets that are kept for a time and then thrown away; days are kept for ever. */
const EXPIRING = ['minute', 'hour'] as const;
type Expiring = (typeof EXPIRING)[number];

/** How long figures are kept. */
export type RetentionDays = Readonly<Record<Expiring, number>>;
/** From when on nothing was thrown away by an earlier, shorter setting; 0 when there was none. */
export type KeptSinceMs = Readonly<Record<Expiring, number>>;

interface RetentionDocument {
  readonly _id: Expiring;
  readonly keptSinceMs: number;
}

export const DAY_SECONDS = 86_400;

/**
 * Makes the store keep figures as long as is configured now, and remembers what a shorter setting
 * has thrown away before: that comes back by no setting. Safe to run twice and beside others.
 */
export async function applyRetention(
  store: MongoStore,
  days: RetentionDays,
  now: number,
): Promise<KeptSinceMs> {
  return withDatabaseFailures(async () => {
    const figures = store.connection.collection('usage_figures');
    const retention = store.connection.collection<RetentionDocument>('usage_retention');
    const present = await figures.indexes();
    for (const granularity of EXPIRING) {
      const name = expiryIndexName(granularity);
      const seconds = Number(present.find((index) => index.name === name)?.expireAfterSeconds ?? 0);
      const wanted = days[granularity] * DAY_SECONDS;
      if (seconds === wanted) continue;
      if (seconds > 0 && seconds < wanted) {
        const keptSinceMs = now - seconds * 1000;
        // Before the index: a crash in between forgets nothing.
        await retention.updateOne(
          { _id: granularity },
          { $max: { keptSinceMs } },
          { upsert: true },
        );
      }
      if (seconds > 0) await changeExpiry(store, name, wanted);
      else await buildExpiryIndex(store, granularity, wanted);
    }
    const kept = await retention.find({}).toArray();
    const of = (granularity: Expiring) =>
      kept.find(({ _id }) => _id === granularity)?.keptSinceMs ?? 0;
    return { minute: of('minute'), hour: of('hour') };
  });
}

/** Of the index that removes figures of the granularity. */
export function expiryIndexName(granularity: Expiring): string {
  return `expire_${granularity}`;
}

/** Changes the time in place: an index of many figures is not built again for it. */
async function changeExpiry(
  store: MongoStore,
  name: string,
  expireAfterSeconds: number,
): Promise<void> {
  const { connection } = store;
  const database = connection.getClient().db(connection.name);
  await database.command({ collMod: 'usage_figures', index: { name, expireAfterSeconds } });
}

/** Over many figures it takes longer than any command of the service may. */
async function buildExpiryIndex(
  store: MongoStore,
  granularity: Expiring,
  expireAfterSeconds: number,
): Promise<void> {
  const patient = store.withoutTimeout();
  await patient.connect();
  try {
    await patient.connection.collection('usage_figures').createIndex(
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
