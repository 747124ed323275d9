import { kafkaObstacle } from '../engines/kafka';
import { mongodbObstacle } from '../engines/mongodb';
import { redisObstacle } from '../engines/redis';
import { openAccounts, richAccounts } from '../faults/accounts';
import { type FaultSystem, startFaultSystem } from '../faults/fault-system';
import { runKafkaFrozen } from '../faults/kafka-frozen';
import { OFFICIAL_RETRIES } from '../faults/steady-load';
import { describeUnless } from '../support/describe-unless';

jest.setTimeout(300_000);

const obstacle = kafkaObstacle() ?? redisObstacle() ?? mongodbObstacle();

describeUnless(obstacle, 'three replicas of billing while Kafka is frozen', () => {
  let system: FaultSystem;

  beforeAll(async () => {
    system = await startFaultSystem({
      store: 'mongodb',
      report: () => undefined,
      replicas: { billing: 3 },
    });
  });

  afterAll(async () => {
    const codes = await system?.stop();
    expect(Object.entries(codes ?? {}).filter(([, code]) => code !== 0)).toEqual([]);
  });

  test('nobody is refused, no journal grows, and every answer is in the ledger after', async () => {
    const accounts = await openAccounts(system, richAccounts(12));
    const { attempts, violations } = await runKafkaFrozen(system, accounts, {
      connections: 8,
      beforeMs: 2_000,
      frozenMs: 15_000,
      afterMs: 2_000,
      settledAfterMs: 60_000,
      // A crowded machine turns some away, whose clients ask again.
      retriesMax: OFFICIAL_RETRIES,
      report: () => undefined,
    });
    // How fast it goes is for the long run to say, on a machine that does nothing else.
    expect(violations.filter(({ kind }) => kind !== 'slow')).toEqual([]);
    expect(attempts.length).toBeGreaterThanOrEqual(100);
  });
});
