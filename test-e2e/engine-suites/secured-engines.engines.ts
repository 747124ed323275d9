import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RunningEngine } from '../engines/engine-process';
import { kafkaObstacle, startKafka } from '../engines/kafka';
import { mongodbObstacle, startSecuredMongodb } from '../engines/mongodb';
import { redisObstacle, startRedis, startRedisCluster, startSentinel } from '../engines/redis';
import type { Secured } from '../engines/secured';
import { toNano } from '../support/api';
import { describeUnless } from '../support/describe-unless';
import { eventually } from '../support/eventually';
import { createAuthority } from '../support/network/certificates';
import { isInstalled } from '../support/run-command';
import { makeDirectory } from '../support/temporary-directory';
import { type RunningTollgate, startMain, startTollgate } from '../topologies/start-tollgate';

jest.setTimeout(300_000);

const USER = 'tollgate';
const PASSWORD = 'only-in-this-test';

const noOpenssl = isInstalled('openssl') ? undefined : 'openssl is not installed';
const obstacle = kafkaObstacle() ?? redisObstacle() ?? mongodbObstacle() ?? noOpenssl;

/** Gives whoever knows the secret a token that is not signed, as an identity provider would. */
async function startTokenServer(): Promise<Server> {
  const server = createServer((request, response) => {
    const basic = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`;
    if (request.method !== 'POST' || request.headers.authorization !== basic) {
      response.writeHead(401).end();
      return;
    }
    const nowS = Math.floor(Date.now() / 1000);
    const parts = [{ alg: 'none' }, { sub: USER, iat: nowS, exp: nowS + 300 }];
    const encoded = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
    response.end(JSON.stringify({ access_token: `${encoded.join('.')}.`, token_type: 'bearer' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Runs a command to its end. */
async function outputOf(
  dataDirectory: string,
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<string> {
  const running = startMain(dataDirectory, environment, args);
  await running.exited;
  return running.output();
}

describeUnless(obstacle, 'engines that ask for TLS and a password', () => {
  const directory = makeDirectory();
  let engines: readonly RunningEngine[] = [];
  let tokens: Server;
  let secured: Secured;
  let environment: Readonly<Record<string, string>>;
  let tollgate: RunningTollgate;
  /** What `migrate` said before anything was started. */
  let migrated: string;

  beforeAll(async () => {
    const authority = await createAuthority(directory.path);
    const certificate = await authority.issue('engine');
    const { caFile } = authority;
    secured = { certificate, caFile, user: USER, password: PASSWORD };
    const options = { report: () => undefined, detached: false };
    const [kafka, redis, mongodb] = await Promise.all([
      startKafka(options, secured),
      startRedis(options, secured),
      startSecuredMongodb(options, secured),
    ]);
    engines = [kafka, redis, mongodb];
    tokens = await startTokenServer();
    environment = {
      MONGODB_URI: mongodb.url,
      REDIS_URL: redis.url,
      REDIS_TLS_CA_FILE: caFile,
      KAFKA_BROKERS: kafka.url,
      KAFKA_TLS: 'true',
      KAFKA_TLS_CA_FILE: caFile,
      KAFKA_SASL_MECHANISM: 'scram-sha-256',
      KAFKA_SASL_USERNAME: USER,
      KAFKA_SASL_PASSWORD: PASSWORD,
      KAFKA_SASL_TOKEN_URL: `http://127.0.0.1:${(tokens.address() as AddressInfo).port}/token`,
      TOLLGATE_KAFKA_PARTITIONS: '2',
    };
    const asJob = { ...environment, TOLLGATE_SERVICE_SECRET: randomBytes(32).toString('hex') };
    migrated = await outputOf(directory.path, asJob, ['migrate', '--json']);
    tollgate = await startTollgate(environment);
  });

  afterAll(async () => {
    const code = await tollgate?.stop();
    tokens?.close();
    await Promise.all(engines.map((engine) => engine.stop()));
    directory.remove();
    expect(code).toBe(0);
  });

  test('take the product, which charges for what it completes', async () => {
    const answer = await tollgate.api.request('POST', '/v1/chat/completions', {
      body: { model: 'sim-small', messages: [{ role: 'user', content: 'Hello' }] },
    });
    expect(answer.status).toBe(200);
    await eventually(
      () => tollgate.api.get('/v1/stats'),
      ({ totals }) => toNano((totals as { readonly spend: string }).spend) > 0n,
      60_000,
    );
  });

  test('get their schema and their topics by one command', () => {
    const { applied, topics } = JSON.parse(migrated.slice(migrated.indexOf('{"applied"'))) as {
      readonly applied: Readonly<Record<string, readonly string[]>>;
      readonly topics: { readonly created: readonly string[] };
    };
    expect(Object.keys(applied)).toHaveLength(5);
    expect(topics.created).toContain('tollgate.usage.v1');
  });

  const doctor = async (changed: Readonly<Record<string, string>>) => {
    const args = ['doctor', '--json', '--url', tollgate.baseUrl];
    const output = await outputOf(tollgate.dataDirectory, { ...environment, ...changed }, args);
    const { findings } = JSON.parse(output.slice(output.indexOf('{"ok"'))) as {
      readonly findings: readonly { readonly subject: string; readonly state: string }[];
    };
    return Object.fromEntries(findings.map(({ subject, state }) => [subject, state]));
  };

  test.each(['plain', 'scram-sha-256', 'oauthbearer'])('let doctor in by %s', async (mechanism) => {
    const found = await doctor({ KAFKA_SASL_MECHANISM: mechanism });
    expect(found).toMatchObject({ store: 'ok', Kafka: 'ok', Redis: 'ok' });
  });

  test('are found by a sentinel where Redis has one', async () => {
    const options = { report: () => undefined, detached: false };
    const redis = await startRedis(options);
    const sentinel = await startSentinel(options, { name: 'limits', redisUrl: redis.url });
    try {
      const found = await doctor({ REDIS_URL: 'redis://limits', REDIS_SENTINELS: sentinel.url });
      expect(found).toMatchObject({ Redis: 'ok' });
      // Redis itself is nowhere named: without the sentinel it is not found.
      await sentinel.kill();
      const lost = await doctor({ REDIS_URL: 'redis://limits', REDIS_SENTINELS: sentinel.url });
      expect(lost).toMatchObject({ Redis: 'failure' });
    } finally {
      await Promise.all([sentinel.stop(), redis.stop()]);
    }
  });

  test('let doctor in where Redis is a cluster', async () => {
    const cluster = await startRedisCluster({ report: () => undefined, detached: false }, secured);
    const { REDIS_URL } = environment;
    const onCluster = { REDIS_CLUSTER: cluster.addresses };
    try {
      expect(await doctor({ ...onCluster, REDIS_URL: String(REDIS_URL) })).toMatchObject({
        Redis: 'ok',
      });
      await cluster.servers[2]?.kill();
      expect(await doctor({ ...onCluster, REDIS_URL: String(REDIS_URL) })).toMatchObject({
        Redis: 'failure',
      });
      const wrong = String(REDIS_URL).replace(PASSWORD, 'wrong');
      expect(await doctor({ ...onCluster, REDIS_URL: wrong })).toMatchObject({ Redis: 'failure' });
    } finally {
      await cluster.stop();
    }
  });

  test('let nobody in with another password', async () => {
    const found = await doctor({
      KAFKA_SASL_PASSWORD: 'wrong',
      REDIS_URL: String(environment.REDIS_URL).replace(PASSWORD, 'wrong'),
      MONGODB_URI: String(environment.MONGODB_URI).replace(PASSWORD, 'wrong'),
    });
    expect(found).toMatchObject({ store: 'failure', Kafka: 'failure', Redis: 'failure' });
  });
});
