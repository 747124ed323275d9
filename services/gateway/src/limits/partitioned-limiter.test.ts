import { hashText, silentLogger } from '@tollgate/core';
import { createFakeClock, settlePromises } from '@tollgate/testkit';
import { createMemoryCounters } from '../testing/memory-counters';
import type { LimitSubject } from './limiter';
import { createMemoryLimiter } from './memory-limiter';
import { createPartitionedLimiter } from './partitioned-limiter';
import { counterPartitions } from './share-scripts';
import type { SharedCounters } from './shared-counters';
import { GATEWAY_TTL_MS } from './shared-limiter';

const PARTITIONS = 3;
const SUBJECTS_MAX = 90;

/** Two gateways on three servers. */
async function startTwo() {
  const clock = createFakeClock(Date.parse('2026-02-03T10:00:00.000Z'));
  const servers = Array.from({ length: PARTITIONS }, () =>
    createMemoryCounters(() => clock.now(), GATEWAY_TTL_MS),
  );
  const told = new Set<string>();
  const listened = (connection: SharedCounters): SharedCounters => ({
    ...connection,
    async share(requests) {
      const answer = await connection.share(requests);
      for (const { id } of requests) told.add(id);
      return answer;
    },
  });
  const open = (gatewayId: string) =>
    createPartitionedLimiter(
      servers.map((server) => listened(server.connect(gatewayId))),
      {
        clock,
        logger: silentLogger,
        alone: createMemoryLimiter(clock, 1000),
        subjectsMax: SUBJECTS_MAX,
      },
    );
  const gateways = [open('one'), open('two')] as const;
  for (const gateway of gateways) await gateway.start();
  await clock.advance(1100);
  await settlePromises();
  return { clock, servers, gateways, told };
}

/** An account that is counted in the partition, and a key of it. */
function subjectsIn(partition: number, limits: LimitSubject['limits']): readonly LimitSubject[] {
  for (let number = 0; ; number += 1) {
    const id = `account ${number}`;
    if (hashText(id) % PARTITIONS === partition)
      return [
        { id, limits: {} },
        { id: 'key', limits },
      ];
  }
}

test('a server that is away concerns its own accounts and nobody else', async () => {
  const { servers, gateways } = await startTwo();
  const [away] = servers;
  if (away !== undefined) away.away = true;
  const admittedOf = async (partition: number) => {
    const subjects = subjectsIn(partition, { requestsPerMinute: 10 });
    let admitted = 0;
    for (let request = 0; request < 20; request += 1) {
      const decision = await gateways[0].acquire(subjects);
      if (decision.admitted) admitted += 1;
    }
    return admitted;
  };
  expect([await admittedOf(0), await admittedOf(1), await admittedOf(2)]).toEqual([5, 10, 10]);
  for (const gateway of gateways) await gateway.close();
});

test('in a long break all partitions together keep no more subjects than are allowed', async () => {
  const { clock, servers, gateways, told } = await startTwo();
  for (const server of servers) server.away = true;
  for (let number = 0; number < 300; number += 1) {
    const limits = { requestsPerMinute: 10 };
    const decision = await gateways[0].acquire([{ id: `account ${number}`, limits }]);
    if (decision.admitted) decision.permit.release('minute_and_day');
  }
  await clock.advance(120_000);
  for (const server of servers) server.away = false;
  await clock.advance(5_000);
  await settlePromises();
  expect(told.size).toBeGreaterThan(0);
  expect(told.size).toBeLessThanOrEqual(SUBJECTS_MAX);
  for (const gateway of gateways) await gateway.close();
});

test('a key is counted beside its account, by all gateways in the same place', async () => {
  const { servers, gateways } = await startTwo();
  const subjects = subjectsIn(2, { requestsPerMinute: 3 });
  const seen: boolean[] = [];
  for (let request = 0; request < 6; request += 1) {
    seen.push((await gateways[request % 2 === 0 ? 0 : 1].acquire(subjects)).admitted);
  }
  expect(seen.filter(Boolean)).toHaveLength(3);
  expect(servers.map(({ calls }) => calls > 0)).toEqual([false, false, true]);
  for (const gateway of gateways) await gateway.close();
});

test('all names of one call are in one hash slot, and a cluster has many of those', () => {
  const tagOf = (name: string) => /^\{([^}]+)\}/.exec(name)?.[1];
  const cluster = counterPartitions(true);
  const tags = cluster.map(({ gateways, subject }) => {
    const all = new Set([gateways, ...subject('acc_1'), ...subject('key_{1}')].map(tagOf));
    expect(all.size).toBe(1);
    return tagOf(gateways);
  });
  expect(new Set(tags).size).toBe(cluster.length);
  expect(counterPartitions(false).map(({ gateways }) => gateways)).toEqual(['{tollgate}:gateways']);
});
