import { silentLogger } from '@tollgate/core';
import { type MongoStore, openMongo, runMigrations } from '@tollgate/mongo';
import { createTestMongo } from '@tollgate/testkit';
import { billingMigrations } from '../storage/migrations';

/** An embedded store that ends with its test, and databases of billing in it. */
export interface TestStore {
  /** The first of them. */
  readonly mongo: MongoStore;
  /** Another one that nobody has used; who opens it closes it. */
  openDatabase(): Promise<MongoStore>;
  close(): Promise<void>;
}

export async function openTestStore(): Promise<TestStore> {
  const server = await createTestMongo();
  let databases = 0;
  const openDatabase = async () => {
    databases += 1;
    const uri = server.uriFor(`billing${databases}`);
    const mongo = openMongo({ uri, appName: 'billing-test', logger: silentLogger });
    await mongo.connect();
    await runMigrations(mongo, 'billing', billingMigrations, silentLogger);
    return mongo;
  };
  const mongo = await openDatabase();
  return {
    mongo,
    openDatabase,
    async close() {
      await mongo.close();
      await server.close();
    },
  };
}
