import type { Migration } from '@tollgate/mongo';
import { COLLECTIONS } from './collections';
import { DAY_SECONDS, expiryIndexName } from './retention';

const DENIALS_RETENTION_DAYS = 90;
/** Denials by minute are many, and answer what is asked of the last hours. */
const DENIALS_BY_MINUTE_RETENTION_DAYS = 7;
const REFUSED_REQUESTS_RETENTION_DAYS = 1;

/** Stats' schema, in the order it grew. See `retention.ts` for what a changed setting does. */
export function statsMigrations(retention: {
  readonly minuteRetentionDays: number;
  readonly hourRetentionDays: number;
}): readonly Migration[] {
  return [
    {
      name: '0001-indexes',
      async up(connection) {
        const figures = connection.collection(COLLECTIONS.figures);
        await figures.createIndex({ accountId: 1, granularity: 1, start: 1 });
        await figures.createIndex({ granularity: 1, start: 1 });
        const expiring = [
          ['minute', retention.minuteRetentionDays],
          ['hour', retention.hourRetentionDays],
        ] as const;
        for (const [granularity, days] of expiring) {
          await figures.createIndex(
            { start: 1 },
            {
              name: expiryIndexName(granularity),
              expireAfterSeconds: days * DAY_SECONDS,
              partialFilterExpression: { granularity },
            },
          );
        }
      },
    },
    {
      name: '0002-newest-cursor',
      async up(connection) {
        await connection.collection(COLLECTIONS.cursors).createIndex({ at: -1 });
      },
    },
    {
      name: '0003-refused-requests',
      async up(connection) {
        const expireAfterSeconds = REFUSED_REQUESTS_RETENTION_DAYS * DAY_SECONDS;
        await connection
          .collection(COLLECTIONS.refusedRequests)
          .createIndex({ at: 1 }, { expireAfterSeconds });
      },
    },
    {
      name: '0004-denial-buckets',
      async up(connection) {
        const buckets = connection.collection(COLLECTIONS.denialBuckets);
        await buckets.createIndex({ accountId: 1, granularity: 1, start: 1 });
        await buckets.createIndex({ granularity: 1, start: 1 });
        for (const [granularity, days] of [
          ['minute', DENIALS_BY_MINUTE_RETENTION_DAYS],
          ['hour', DENIALS_RETENTION_DAYS],
          ['day', DENIALS_RETENTION_DAYS],
        ] as const) {
          await buckets.createIndex(
            { start: 1 },
            {
              name: `expire_${granularity}`,
              expireAfterSeconds: days * DAY_SECONDS,
              partialFilterExpression: { granularity },
            },
          );
        }
      },
    },
    {
      name: '0005-refused-requests-of-an-account',
      async up(connection) {
        await connection
          .collection(COLLECTIONS.refusedRequests)
          .createIndex({ accountId: 1, _id: -1 });
      },
    },
  ];
}
