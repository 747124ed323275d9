import type { Migration } from '@tollgate/mongo';
import { COLLECTIONS } from './collections';

/** Webhook's schema, in the order it grew. */
export const webhookMigrations: readonly Migration[] = [
  {
    name: '0001-indexes',
    async up(connection) {
      const endpoints = connection.collection(COLLECTIONS.endpoints);
      await endpoints.createIndex({ accountId: 1, _id: 1 });
      await endpoints.createIndex({ operator: 1, status: 1 });
      const deliveries = connection.collection(COLLECTIONS.deliveries);
      await deliveries.createIndex({ endpointId: 1, sequence: 1 }, { unique: true });
      await deliveries.createIndex({ endpointId: 1, factKey: 1 }, { unique: true });
      await deliveries.createIndex({ status: 1, dueAtMs: 1, endpointId: 1 });
      // Only finished and held deliveries have the date.
      await deliveries.createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0 });
      await connection
        .collection(COLLECTIONS.recentDenials)
        .createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0 });
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
    // By this name 0.1.0 finds it done: its own numbers the places of the endpoints anew.
    name: '0003-turns-and-places',
    async up(connection) {
      const deliveries = connection.collection(COLLECTIONS.deliveries);
      await deliveries.createIndex({ endpointId: 1, status: 1, dueAtMs: 1 });
      const endpoints = connection.collection(COLLECTIONS.endpoints);
      await endpoints.createIndex({ dueAtMs: 1 });
      await endpoints.createIndex({ placeKey: 1 }, { unique: true, sparse: true });
    },
  },
  {
    name: '0004-refusals',
    async up(connection) {
      await connection.collection(COLLECTIONS.denialSpells).createIndex({ overAtMs: 1, _id: 1 });
    },
  },
  {
    name: '0005-erasure',
    async up(connection) {
      await connection
        .collection(COLLECTIONS.idempotency)
        .createIndex({ 'answer.accountId': 1 }, { sparse: true });
    },
  },
  {
    name: '0006-deliveries-of-an-account',
    async up(connection) {
      const deliveries = connection.collection(COLLECTIONS.deliveries);
      await deliveries.createIndex({ accountId: 1, createdAtMs: 1 });
    },
  },
  {
    name: '0007-due-endpoints-without-failures',
    async up(connection) {
      // While failing endpoints may have no more, the others are found without reading them.
      const endpoints = connection.collection(COLLECTIONS.endpoints);
      await endpoints.createIndex({ consecutiveFailures: 1, dueAtMs: 1 });
    },
  },
];
