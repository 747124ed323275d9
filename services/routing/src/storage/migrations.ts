import { dropIndex, type Migration } from '@tollgate/mongo';
import { COLLECTIONS } from './collections';

/** Routing's schema, in the order it grew. */
export const routingMigrations: readonly Migration[] = [
  {
    name: '0001-indexes',
    async up(connection) {
      const channels = connection.collection(COLLECTIONS.channels);
      await channels.createIndex({ idempotencyKey: 1 }, { unique: true, sparse: true });
      await channels.createIndex({ 'models.name': 1 });
    },
  },
  {
    name: '0002-idempotency',
    async up(connection) {
      await connection
        .collection(COLLECTIONS.idempotency)
        .createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0 });
      // Creations were remembered in the channels themselves, where a deletion forgot them.
      await dropIndex(connection, COLLECTIONS.channels, 'idempotencyKey_1');
      await connection
        .collection(COLLECTIONS.channels)
        .updateMany(
          { idempotencyKey: { $exists: true } },
          { $unset: { idempotencyKey: '', bodyDigest: '' } },
        );
    },
  },
  {
    name: '0003-outbox',
    async up(connection) {
      await connection
        .collection(COLLECTIONS.channels)
        .createIndex({ 'outbox.id': 1 }, { sparse: true });
    },
  },
  {
    name: '0004-outbox-in-order',
    async up(connection) {
      const partialFilterExpression = { 'outbox.id': { $exists: true } };
      const channels = connection.collection(COLLECTIONS.channels);
      // Pages are in the order of channels, which the index of what waits did not have.
      await channels.createIndex({ _id: 1, 'outbox.id': 1 }, { partialFilterExpression });
      await dropIndex(connection, COLLECTIONS.channels, 'outbox.id_1');
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
