import { type Clock, createId, silentLogger } from '@tollgate/core';
import type { EmbeddedMongo } from '@tollgate/embedded-mongo';
import { type MongoStore, openMongo, runMigrations } from '@tollgate/mongo';
import { createTestMongo } from '@tollgate/testkit';
import { type Endpoint, NEW_ENDPOINT_HEALTH } from '../domain/endpoint';
import type { EndpointStore } from '../domain/ports';
import { webhookMigrations } from '../storage/migrations';

/** Webhook's collections in an embedded store of one test file. */
export interface TestStore {
  readonly server: EmbeddedMongo;
  readonly mongo: MongoStore;
  close(): Promise<void>;
}

/** Opens a store whose documents expire by the clock. */
export async function openTestStore(clock: Clock): Promise<TestStore> {
  const server = await createTestMongo({ clock });
  const mongo = openMongo({
    uri: server.uriFor('webhook'),
    appName: 'test',
    logger: silentLogger,
  });
  await mongo.connect();
  await runMigrations(mongo, 'webhook', webhookMigrations, silentLogger);
  return {
    server,
    mongo,
    async close() {
      await mongo.close();
      await server.close();
    },
  };
}

/** An endpoint of the account that gets `key.created`, and that nothing was sent to. */
export async function insertEndpoint(
  endpoints: EndpointStore,
  accountId: string,
  createdAtMs: number,
): Promise<Endpoint> {
  const endpoint: Endpoint = {
    ...NEW_ENDPOINT_HEALTH,
    id: createId('webhook'),
    accountId,
    url: 'http://receiver.example',
    events: ['key.created'],
    status: 'enabled',
    description: '',
    operator: false,
    secrets: [],
    createdAtMs,
    revision: 1,
    lastSequence: 0,
  };
  await endpoints.insert(endpoint, 20);
  return endpoint;
}
