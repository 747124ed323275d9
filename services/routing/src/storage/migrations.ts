import type { Migration } from '@tollgate/mongo';

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
];
