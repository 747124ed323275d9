import { billingMigrations } from '@tollgate/billing/model-api';
import { silentLogger } from '@tollgate/core';
import { type MongoStore, openMongo, runMigrations } from '@tollgate/mongo';
import { createTestMongo } from '@tollgate/testkit';
import { checkSeeds } from '../check/check-seeds';
import type { Profile } from '../workload/profile';
import { createEmbeddedReplicas, emptyStore } from './embedded-store';

jest.setTimeout(300_000);

describe('money in the embedded store', () => {
  let server: Awaited<ReturnType<typeof createTestMongo>>;
  let mongo: MongoStore;

  beforeAll(async () => {
    server = await createTestMongo();
    mongo = openMongo({ uri: server.uriFor('billing'), appName: 'model', logger: silentLogger });
    await mongo.connect();
    await runMigrations(mongo, 'billing', billingMigrations, silentLogger);
  });

  afterAll(async () => {
    await mongo.close();
    await server.close();
  });

  /** A command costs a thousand times as much as in memory, so these schedules are short. */
  const shortened = (profile: Profile): Profile => ({
    ...profile,
    stepsMax: 300,
    workload: { ...profile.workload, accounts: ['acc_1'], requests: 4 },
  });

  it('is right to the nano-unit after each of 200 schedules', async () => {
    const createStore = createEmbeddedReplicas(mongo);
    for (let seed = 1; seed <= 200; seed += 1) {
      await emptyStore(mongo);
      const { failures } = await checkSeeds(seed, seed, {
        createStore,
        changeProfile: shortened,
        replayOf: (failed) => `seed ${failed}`,
      });
      expect(failures).toEqual([]);
    }
  });
});
