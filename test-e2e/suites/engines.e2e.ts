import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Partitioners } from 'kafkajs';
import { ask, type RunningEngine, signalProcess } from '../engines/engine-process';
import { apiVersionsRequest, kafkaObstacle, startKafka } from '../engines/kafka';
import { redisObstacle, startRedis } from '../engines/redis';
import { describeUnless } from '../support/describe-unless';
import { eventually } from '../support/eventually';
import { createKafka } from '../support/kafka-client';
import { RUN_TYPESCRIPT } from '../support/repository';
import { startProcess } from '../support/running-process';

const PROGRAM = [RUN_TYPESCRIPT, join(__dirname, '../engines/cli.ts')];
const OPTIONS = { report: () => undefined, detached: false, isKilled: true };

jest.setTimeout(180_000);

describeUnless(kafkaObstacle(), 'a Kafka broker for tests', () => {
  let broker: RunningEngine;
  beforeAll(async () => {
    broker = await startKafka(OPTIONS);
  });
  afterAll(() => broker.stop());

  it('keeps what it acknowledged through kill -9 and a restart on the same address', async () => {
    const kafka = createKafka(broker.url);
    const admin = kafka.admin();
    const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
    await Promise.all([admin.connect(), producer.connect()]);
    await admin.createTopics({ topics: [{ topic: 'facts' }], waitForLeaders: false });
    const sent = await producer.send({ topic: 'facts', messages: [{ value: 'kept' }] });
    expect(sent[0]?.baseOffset).toBe('0');
    await Promise.all([admin.disconnect(), producer.disconnect()]);

    const { pid, url } = broker;
    await broker.kill();
    expect(signalProcess(pid, 0)).toBe(false);
    await broker.restart();
    expect(broker.url).toBe(url);
    expect(broker.pid).not.toBe(pid);

    await admin.connect();
    const offsets = await admin.fetchTopicOffsets('facts');
    await admin.disconnect();
    expect(offsets[0]?.high).toBe('1');
  });

  it('does not answer while it is frozen, and goes on after', async () => {
    const port = Number(broker.url.split(':').at(-1));
    broker.freeze();
    // A thread that runs on the other core when the signal is sent may still answer one request.
    const whatCame = () => ask(port, apiVersionsRequest(), 300).then(String, String);
    await eventually(whatCame, (text) => text.includes('no answer in time'));
    broker.thaw();
    await expect(ask(port, apiVersionsRequest(), 10_000)).resolves.toBeInstanceOf(Buffer);
  });
});

describeUnless(redisObstacle(), 'the command line', () => {
  let directory: string;
  let out: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tollgate-engines-'));
    out = join(directory, 'engines.env');
  });
  afterEach(() => rm(directory, { recursive: true }));

  const run = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
    promisify(execFile)(process.execPath, [...PROGRAM, ...args, '--out', out], {
      env: { ...process.env, ...environment },
    });

  it('starts engines for other processes, and stops them by their own ids', async () => {
    await run(['start', '--only', 'redis']);
    const variables = await readFile(out, 'utf8');
    const port = Number(/TOLLGATE_TEST_REDIS='redis:\/\/127\.0\.0\.1:(\d+)'/.exec(variables)?.[1]);
    expect((await ask(port, Buffer.from('PING\r\n'))).toString()).toBe('+PONG\r\n');
    await run(['stop']);
    await expect(ask(port, Buffer.from('PING\r\n'))).rejects.toThrow();
    expect(existsSync(out)).toBe(false);
  });

  it('ends the engines of a run that was ended by kill -9', async () => {
    const idle = ['-e', 'setInterval(() => undefined, 1000)'];
    const owner = startProcess(process.execPath, idle, { directory, environment: {} });
    await run(['start', '--only', 'redis', '--owner', String(owner.pid)]);
    const [started] = JSON.parse(await readFile(`${out}.state.json`, 'utf8')) as [
      { readonly pid: number; readonly dataDirectory: string },
    ];
    expect(signalProcess(started.pid, 0)).toBe(true);
    owner.signal('SIGKILL');
    await eventually(
      async () => signalProcess(started.pid, 0) || existsSync(started.dataDirectory),
      (left) => !left,
    );
  });

  it('says why an engine cannot be had, for the tests that it leaves out', async () => {
    const { stdout } = await run(['start', '--only', 'mongodb'], {
      PATH: directory,
      TOLLGATE_ENGINE_CACHE: directory,
    });
    expect(stdout).toMatch(/^engines: mongodb not here: .+\n$/);
    expect(await readFile(out, 'utf8')).toMatch(/^TOLLGATE_TEST_MONGODB_UNAVAILABLE='.+'\n$/);
  });

  it('leaves nothing when the run that started it is ended by kill -9', async () => {
    const program = `
      require('./support/run-typescript.cjs');
      const { makeDirectory } = require('./support/temporary-directory.ts');
      const { startProcess } = require('./support/running-process.ts');
      import('./engines/redis').then(async ({ startRedis }) => {
        const redis = await startRedis({ report: () => undefined, detached: false });
        const directory = makeDirectory().path;
        const idle = ['-e', 'setInterval(() => undefined, 1000)'];
        const service = startProcess(process.execPath, idle, { directory, environment: {} });
        const pids = [redis.pid, service.pid];
        console.log(JSON.stringify({ pids, paths: [redis.dataDirectory, directory] }));
      });
    `;
    const run = startProcess(process.execPath, ['-e', program], {
      directory: join(__dirname, '..'),
      environment: {},
    });
    const [text] = await run.waitForOutput(/\{.*\}/, 30_000);
    const started = JSON.parse(text) as { readonly pids: number[]; readonly paths: string[] };
    expect(started.pids.map((pid) => signalProcess(pid, 0))).toEqual([true, true]);
    run.signal('SIGKILL');
    await eventually(
      async () => [
        ...started.pids.filter((pid) => signalProcess(pid, 0)),
        ...started.paths.filter((path) => existsSync(path)),
      ],
      (left) => left.length === 0,
    );
  });

  it('leaves nothing of a Redis that a test started for itself', async () => {
    const redis = await startRedis(OPTIONS);
    const { pid, dataDirectory } = redis;
    await redis.stop();
    expect(signalProcess(pid, 0)).toBe(false);
    expect(existsSync(dataDirectory)).toBe(false);
  });
});
