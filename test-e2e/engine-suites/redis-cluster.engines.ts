import { type RedisCluster, redisObstacle, startRedisCluster } from '../engines/redis';
import { createKey, type KeyedAccount, openAccountWithKey, signIn } from '../support/accounts';
import { type Api, createApi } from '../support/api';
import { describeUnless } from '../support/describe-unless';
import { eventually } from '../support/eventually';
import { runCommand } from '../support/run-command';
import { startTwoGateways, type TwoGateways } from '../topologies/two-gateways';

jest.setTimeout(300_000);

const LIMIT = 6;
const ACCOUNTS_MAX = 60;
const CHAT = { model: 'sim-small', max_tokens: 4, messages: [{ role: 'user', content: 'Hello' }] };

describeUnless(redisObstacle(), 'two gateways on a Redis Cluster of three servers', () => {
  let cluster: RedisCluster;
  let gateways: TwoGateways;
  let operator: Api;
  /** One account of each server, in the order of the servers. */
  let accounts: readonly KeyedAccount[] = [];

  beforeAll(async () => {
    cluster = await startRedisCluster({ report: () => undefined, detached: false });
    const redis = { REDIS_URL: 'redis://limits', REDIS_CLUSTER: cluster.addresses };
    gateways = await startTwoGateways(redis);
    const { baseUrl, operatorEmail, operatorPassword } = gateways.first;
    operator = (await signIn(baseUrl, operatorEmail, operatorPassword)).api;
    accounts = await oneAccountOfEachServer();
  });

  afterAll(async () => {
    const codes = await gateways?.stop();
    await cluster?.stop();
    expect(codes).toEqual([0, 0]);
  });

  async function oneAccountOfEachServer(): Promise<readonly KeyedAccount[]> {
    const found = new Map<number, KeyedAccount>();
    for (let opened = 0; found.size < cluster.servers.length; opened += 1) {
      if (opened === ACCOUNTS_MAX) throw new Error('a server has none of the accounts');
      const account = await openAccountWithKey(operator, { credit: '1.00' });
      await account.api.request('POST', '/v1/chat/completions', { body: CHAT });
      const [server] = await eventually(
        () => serversThatCount(account.id),
        ({ length }) => length > 0,
      );
      if (server !== undefined && !found.has(server)) found.set(server, account);
    }
    return [...found].sort(([one], [two]) => one - two).map(([, account]) => account);
  }

  /** Which servers have counters of the account. */
  async function serversThatCount(id: string): Promise<readonly number[]> {
    const counts = await Promise.all(
      cluster.servers.map(({ url }) =>
        runCommand('redis-cli', ['-u', url, '--scan', '--pattern', `*:${id}`], {
          timeoutMs: 10_000,
        }),
      ),
    );
    return counts.flatMap((keys, server) => (keys.trim() === '' ? [] : [server]));
  }

  /** Offers twice the limit of a new key; answers how many were taken. */
  async function admittedBy(account: KeyedAccount, urls: readonly string[]): Promise<number> {
    const { secret } = await createKey(account.session, { requests_per_minute: LIMIT });
    const apis = urls.map((url) => createApi(url, secret));
    let admitted = 0;
    for (let request = 0; request < 2 * LIMIT; request += 1) {
      const api = apis[request % apis.length];
      const answer = await api?.request('POST', '/v1/chat/completions', { body: CHAT });
      expect([200, 429]).toContain(answer?.status);
      if (answer?.status === 200) admitted += 1;
    }
    return admitted;
  }

  /**
   * Until so many are taken. A gateway that gets no answer for half a second, as happens on a crowded
   * machine, counts alone for a second, and the next key shows what holds again.
   */
  async function expectAdmitted(
    account: KeyedAccount,
    urls: readonly string[],
    wanted: number,
  ): Promise<void> {
    await eventually(
      () => admittedBy(account, urls),
      (admitted) => admitted === wanted,
    );
  }

  const both = () => [gateways.first.baseUrl, gateways.secondUrl];
  const one = () => [gateways.first.baseUrl];
  const accountOf = (server: number): KeyedAccount => {
    const account = accounts[server];
    if (account === undefined) throw new Error(`server ${server} has no account`);
    return account;
  };

  test('keep every limit together, on whichever server it is counted', async () => {
    for (const account of accounts) {
      await expectAdmitted(account, both(), LIMIT);
      await expectAdmitted(account, one(), LIMIT);
    }
  });

  test.each([
    ['away', 0],
    ['frozen', 1],
  ])('count alone by their part while its server is %s, and only its accounts', async (how, at) => {
    const server = cluster.servers[at];
    if (how === 'away') await server?.kill();
    else server?.freeze();
    await expectAdmitted(accountOf(at), one(), LIMIT / 2);
    await expectAdmitted(accountOf(at), both(), LIMIT);
    for (const other of accounts.filter((account) => account !== accountOf(at))) {
      await expectAdmitted(other, one(), LIMIT);
      await expectAdmitted(other, both(), LIMIT);
    }
    if (how === 'away') await server?.restart();
    else server?.thaw();
    // Each finds it again by itself, and until then counts its part beside what the other counts.
    for (const url of both()) await expectAdmitted(accountOf(at), [url], LIMIT);
    await expectAdmitted(accountOf(at), both(), LIMIT);
  });
});
