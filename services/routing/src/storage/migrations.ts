import type { Migration } from '@tollgate/mongo';
import { COLLECTIONS } from './collections';

/** Routing's schema, in the order it grew. */
export const routingMigrations: readonly Migration[] = [
  {
    name: '0001-indexes',
    async up(connection) {
      const channels = connection.collection(COLLECTIONS.channels);
      await channels.createIndex({ 'models.name': 1 });
      const partialFilterExpression = { 'outbox.id': { $exists: true } };
      // Pages of what waits are in the order of channels.
      await channels.createIndex({ _id: 1, 'outbox.id': 1 }, { partialFilterExpression });
    },
  },
  {
    name: '0002-idempotency',
    async up(connection) {
      await connection
        .collection(COLLECTIONS.idempotency)
        .createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0 });
    },
  },
  {
    name: '0005-erasure',
    async up(connection) {
      await connection.collection(COLLECTIONS.channels).createIndex({ ownerAccountId: 1 });
      await connection
        .collection(COLLECTIONS.idempotency)
        .createIndex({ 'answer.ownerAccountId': 1 }, { sparse: true });
    },
  },
  {
    name: '0006-self-disabled',
    async up(connection) {
      // Few channels are auto_disabled, of the many that accounts may own: the index stays small.
      const partialFilterExpression = { status: 'auto_disabled' };
      await connection
        .collection(COLLECTIONS.channels)
        .createIndex({ status: 1, _id: 1 }, { partialFilterExpression });
    },
  },
];
