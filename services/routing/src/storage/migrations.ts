import type { Migration } from '@tollgate/mongo';
import { mongo } from 'mongoose';

const INDEX_NOT_FOUND = 27;

/** A replica that was faster has dropped it: that is no failure. */
function ignoreMissingIndex(error: unknown): void {
  if (error instanceof mongo.MongoServerError && error.code === INDEX_NOT_FOUND) return;
  throw error;
}

/** Routing's schema, in the order it grew. */
export const routingMigrations: readonly Migration[] = [
  {
    name: '0001-indexes',
    async up(connection) {
      const channels = connection.collection('channels');
      await channels.createIndex({ idempotencyKey: 1 }, { unique: true, sparse: true });
      await channels.createIndex({ 'models.name': 1 });
    },
  },
  {
    name: '0002-idempotency',
    async up(connection) {
      await connection
        .collection('routing_idempotency')
        .createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0 });
      // Creations were remembered in the channels themselves, where a deletion forgot them.
      const channels = connection.collection('channels');
      await channels.dropIndex('idempotencyKey_1').catch(ignoreMissingIndex);
      await channels.updateMany(
        { idempotencyKey: { $exists: true } },
        { $unset: { idempotencyKey: '', bodyDigest: '' } },
      );
    },
  },
];
