import type { Clock } from '@tollgate/core';
import { createEmbeddedMongo, type EmbeddedMongo, IN_MEMORY } from '@tollgate/embedded-mongo';
import { makeSocketPath } from './temporary-directory';

export interface TestMongoOptions {
  /** Drives the expiry of documents; the machine's clock when absent. */
  readonly clock?: Clock;
}

/**
 * Starts an embedded document store in memory on a unix socket of its own. Close it when done. What
 * passes on it is shown for the embedded store, not for a MongoDB server.
 */
export async function createTestMongo({ clock }: TestMongoOptions = {}): Promise<EmbeddedMongo> {
  const socket = await makeSocketPath('mongo');
  const mongo = await createEmbeddedMongo({
    dataPath: IN_MEMORY,
    listen: { socketPath: socket.path },
    ...(clock === undefined ? {} : { clock }),
  });
  return {
    ...mongo,
    async close() {
      await mongo.close();
      await socket.remove();
    },
  };
}
