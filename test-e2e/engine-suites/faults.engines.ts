import { kafkaObstacle } from '../engines/kafka';
import { mongodbObstacle } from '../engines/mongodb';
import { redisObstacle } from '../engines/redis';
import { type LoadedAccount, openAccounts } from '../faults/accounts';
import { type Attempt, attempt } from '../faults/attempt';
import { readBooks } from '../faults/books';
import { chargesOf } from '../faults/evidence';
import { type FaultSystem, startFaultSystem } from '../faults/fault-system';
import { runKillLoop } from '../faults/kill-loop';
import { runLoad } from '../faults/load';
import { reconcile } from '../faults/reconcile';
import { describeUnless } from '../support/describe-unless';
import { eventually } from '../support/eventually';
import { createKafka } from '../support/kafka-client';
import { createSeededRandom } from '../support/seeded-random';

jest.setTimeout(600_000);

/** Decides the faults and the requests of the loop. */
const SEED = 791;
/** Until a group that begins at the beginning has handled everything again, milliseconds. */
const REWIND_MS = 120_000;
const obstacle = kafkaObstacle() ?? redisObstacle();

let system: FaultSystem;
let accounts: readonly LoadedAccount[];
/** Everything that was sent: each test compares all of it. */
const attempts: Attempt[] = [];

async function expectEverythingRight(): Promise<void> {
  const { violations } = await reconcile(system, accounts, attempts);
  expect(violations).toEqual([]);
}

function accountCalled(name: string): LoadedAccount {
  const found = accounts.find((account) => account.name === name);
  if (found === undefined) throw new Error(`no account called ${name}`);
  return found;
}

/** One request of an account that has money; remembered like all others. */
async function ask(account: LoadedAccount, tag: string, words: number, wordIntervalMs: number) {
  const [key] = account.keys;
  if (key === undefined) throw new Error('no key');
  const shape = { stream: true, words, wordIntervalMs, maxTokens: words, leaveAfter: undefined };
  const who = { secret: key.secret, accountId: account.id, keyId: key.id };
  const made = await attempt({ baseUrl: system.baseUrl, ...who, ...shape, tag }, system.elapsedMs);
  attempts.push(made);
  return made;
}

describeUnless(obstacle, 'services as processes on engines that fail', () => {
  beforeAll(async () => {
    // What Kafka lost is sent again sooner, and a broker that hangs is given up sooner.
    system = await startFaultSystem({
      store: mongodbObstacle() === undefined ? 'mongodb' : 'embedded',
      report: () => undefined,
      overrides: {
        TOLLGATE_COMPLETION_RESEND_MS: '5000',
        TOLLGATE_BILLING_PUBLISH_TIMEOUT_MS: '2000',
      },
    });
    accounts = await openAccounts(system);
  });

  afterAll(async () => {
    const codes = await system?.stop();
    expect(Object.entries(codes ?? {}).filter(([, code]) => code !== 0)).toEqual([]);
  });

  test('ten rounds of kill -9 lose no charge, make none twice and leave nothing adrift', async () => {
    const options = { cycles: 10, requests: 600, seed: SEED, report: () => undefined };
    const { evidence, violations, sums } = await runKillLoop(system, accounts, options);
    attempts.push(...evidence.attempts);
    expect(violations).toEqual([]);
    expect(evidence.outages.length).toBeGreaterThanOrEqual(10);
    expect(sums.charged).toBeGreaterThanOrEqual(180);
  });

  test('with Kafka away requests go on and settle by gRPC, and statistics catch up', async () => {
    const steady = accountCalled('steady');
    const made = await system.whileAway('kafka', async () => {
      const load = await runLoad({
        baseUrl: system.baseUrl,
        accounts: [steady],
        requests: 30,
        workers: 10,
        random: createSeededRandom(SEED),
        tagPrefix: 'kafka-away/',
        elapsedMs: system.elapsedMs,
      });
      attempts.push(...load);
      const known = new Set(load.map(({ requestId }) => requestId));
      await eventually(
        async () => (await readBooks(system, steady)).ledger,
        (ledger) => ledger.filter(({ requestId }) => known.has(requestId)).length === known.size,
      );
      return load;
    });
    expect(made.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200));
    await expectEverythingRight();
  });

  test('with the store away a held lease still pays, and what cannot be decided is 503', async () => {
    // Its lease lasts for the stream, which is on its way when the store goes.
    const stream = ask(accountCalled('steady'), 'store-away/held', 300, 10);
    const begun = () => system.deliveries();
    await eventually(begun, (all) => all.some(({ tag }) => tag === 'store-away/held'));
    const refused = await system.whileAway('store', async () => {
      const answer = await ask(accountCalled('busy'), 'store-away/undecided', 10, 0);
      expect(await stream).toMatchObject({ status: 200, finished: true, tokens: 300 });
      return answer;
    });
    expect(refused).toMatchObject({ status: 503, errorCode: 'SERVICE_UNAVAILABLE', hung: false });
    expect(Number(refused.retryAfter)).toBeGreaterThanOrEqual(1);
    await expectEverythingRight();
  });

  test('the spool of an instance that is gone is settled by command, what it had begun too', async () => {
    const steady = accountCalled('steady');
    const tags = ['drain/1', 'drain/2', 'drain/3'];
    // Far from their end when the instance is killed, however long that takes to come.
    const streams = tags.map((tag) => ask(steady, tag, 3_000, 20));
    await eventually(
      () => system.deliveries(),
      (all) => tags.every((tag) => all.some((one) => one.tag === tag && one.tokens >= 50)),
    );
    await system.whileAway('completion', async () => {
      const cut = await Promise.all(streams);
      const { code, output } = await system.drainSpool();
      expect([code, output]).toEqual([0, expect.stringMatching(/none left: .* may be deleted/)]);
      const { ledger } = await readBooks(system, steady);
      const charges = ledger.filter(({ requestId }) =>
        cut.some((one) => one.requestId === requestId),
      );
      expect(charges.map(({ source }) => source)).toEqual(['partial', 'partial', 'partial']);
    });
    await expectEverythingRight();
  });

  test('consumer groups that begin again at the beginning change no balance', async () => {
    await expectEverythingRight();
    const before = await Promise.all(accounts.map((account) => readBooks(system, account)));
    expect(before.flatMap(chargesOf).length).toBeGreaterThanOrEqual(50);
    const admin = createKafka(system.kafkaBrokers).admin();
    await admin.connect();
    const groups = [
      { groupId: 'billing', topic: 'tollgate.usage.v1' },
      { groupId: 'stats', topic: 'tollgate.ledger.v1' },
    ];
    const rewind = async ({ groupId, topic }: (typeof groups)[number]) => {
      const offsets = await admin.fetchTopicOffsets(topic);
      const partitions = offsets.map(({ partition, low }) => ({ partition, offset: low }));
      await admin.setOffsets({ groupId, topic, partitions });
    };
    await system.whileStopped(['stats', 'billing'], async () => {
      await Promise.all(groups.map(rewind));
    });
    for (const { groupId, topic } of groups) {
      // Every event was handled again when the group stands at the end again.
      const ends = await admin.fetchTopicOffsets(topic);
      await eventually(
        async () => {
          const [found] = await admin.fetchOffsets({ groupId, topics: [topic] });
          const partitions = found?.partitions ?? [];
          return Object.fromEntries(partitions.map(({ partition, offset }) => [partition, offset]));
        },
        // It may stand further than it did: what it handles is published meanwhile, too.
        (offsets) =>
          ends.every(({ partition, high }) => Number(offsets[partition]) >= Number(high)),
        REWIND_MS,
      );
    }
    await admin.disconnect();
    expect(await Promise.all(accounts.map((account) => readBooks(system, account)))).toEqual(
      before,
    );
    await expectEverythingRight();
  });
});
