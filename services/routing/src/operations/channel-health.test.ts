import { AppError, type ChannelId, MINUTE_MS } from '@tollgate/core';
import { createIdempotencyStore, NO_KEY, openMongo } from '@tollgate/mongo';
import {
  createFakeClock,
  createRecordingLogger,
  createTestMongo,
  settlePromises,
  silentLogger,
} from '@tollgate/testkit';
import type { Channel } from '../domain/channel';
import type { CallSummary } from '../domain/health';
import type { ChannelStore, ProbeResult, VendorProbe } from '../domain/ports';
import { createChannelStore } from '../storage/channel-store';
import { createModelStore } from '../storage/model-store';
import { channelWith } from '../testing/fixtures';
import { checkChannelHealth } from './channel-health';
import { createOutcomeCollector } from './outcome-collector';

const clock = createFakeClock();
const DEAD: ProbeResult = { healthy: false, latencyMs: null, httpStatus: 503, error: 'away' };

let server: Awaited<ReturnType<typeof createTestMongo>>;
let store: ReturnType<typeof openMongo>;
let channels: ChannelStore;
let announced: string[];

beforeEach(async () => {
  server = await createTestMongo();
  store = openMongo({ uri: server.uriFor('routing'), appName: 'test', logger: silentLogger });
  await store.connect();
  channels = createChannelStore(store, clock);
  announced = [];
});

afterEach(async () => {
  await store.close();
  await server.close();
});

const routeChanges = {
  async append(...changes: readonly string[]) {
    announced.push(...changes);
  },
};

/** Checks of the channels in the store, by a vendor that the test answers for. */
function checkingBy(probe: Pick<VendorProbe, 'check'>) {
  return {
    channels,
    routeChanges,
    probe,
    clock,
    logger: silentLogger,
    models: createModelStore(store),
    openCredential: () => 'credential',
    idempotency: createIdempotencyStore(store, { collection: 'checks' }),
  };
}

function channel(id: string, over: Partial<Channel> = {}): Channel {
  return channelWith({ id: id as ChannelId, models: [{ name: 'm', upstreamName: 'm' }], ...over });
}

const success = (channelId: string): CallSummary => ({
  channelId,
  model: 'm',
  kind: 'success',
  count: 1,
  latencyMs: 80,
  firstTokenMs: 12,
  breaker: 'closed',
  cooldownMs: 0,
  detail: '',
});

function createCollector(failureOf: (channelId: string) => AppError | undefined, found = DEAD) {
  const logger = createRecordingLogger();
  const failing: ChannelStore = {
    ...channels,
    async setHealth(id, health, check) {
      const failure = failureOf(id);
      if (failure !== undefined) throw failure;
      await channels.setHealth(id, health, check);
    },
  };
  const checkHealth = async () => ({ ...found, model: 'm' });
  const options = { channels: failing, routeChanges, checkHealth, clock, logger };
  return { collector: createOutcomeCollector(options), logger };
}

const latencyOf = async (id: string) => (await channels.find(id))?.health.latencyMs;

test('a channel whose health cannot be written holds up no other one', async () => {
  for (const id of ['a', 'b', 'c']) await channels.insert(channel(id));
  const broken = new AppError('DATABASE_ERROR', { retryable: false });
  const { collector, logger } = createCollector((id) => (id === 'a' ? broken : undefined));
  collector.report(['a', 'b', 'c'].map(success));
  await collector.flush();
  expect([await latencyOf('a'), await latencyOf('b'), await latencyOf('c')]).toEqual([
    null,
    80,
    80,
  ]);
  expect(announced.toSorted()).toEqual(['observed:b', 'observed:c']);
  expect(logger.lines.map(({ fields }) => fields.channelId)).toEqual(['a']);
});

test('what the store did not take is written with the next round', async () => {
  for (const id of ['a', 'b']) await channels.insert(channel(id));
  let failure: AppError | undefined = new AppError('SERVICE_UNAVAILABLE');
  const { collector } = createCollector(() => failure);
  collector.report(['a', 'b'].map(success));
  await expect(collector.flush()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(announced).toEqual([]);
  failure = undefined;
  await collector.flush();
  expect([await latencyOf('a'), await latencyOf('b')]).toEqual([80, 80]);
});

test('channels are written beside each other, a bounded number at once', async () => {
  const open = Promise.withResolvers<void>();
  const under = new Set<string>();
  // The collector uses these two alone.
  const slow = {
    find: async (id: string) => channel(id),
    async setHealth(id: string) {
      under.add(id);
      await open.promise;
    },
  } as unknown as ChannelStore;
  const checkHealth = async () => ({ ...DEAD, model: 'm' });
  const options = { channels: slow, routeChanges, checkHealth, clock, logger: silentLogger };
  const collector = createOutcomeCollector(options);
  collector.report(Array.from({ length: 700 }, (_, index) => success(`chn_${index}`)));
  const flushed = collector.flush();
  await settlePromises();
  expect(under.size).toBe(16);
  open.resolve();
  await flushed;
  expect(under.size).toBe(700);
  // So many are not named, because each replica reads the names with every change.
  expect(announced).toEqual(['observed']);
});

test('observations that wait for the store have a bound, however many channels are seen', async () => {
  const written: string[] = [];
  let isAway = true;
  // The collector uses these two alone.
  const store = {
    find: async (id: string) => channel(id),
    async setHealth(id: string) {
      if (isAway) throw new AppError('SERVICE_UNAVAILABLE');
      written.push(id);
    },
  } as unknown as ChannelStore;
  const checkHealth = async () => ({ ...DEAD, model: 'm' });
  const options = { channels: store, routeChanges, checkHealth, clock, logger: silentLogger };
  const collector = createOutcomeCollector(options);
  for (let index = 0; index < 100; index += 1) {
    collector.report(Array.from({ length: 1_100 }, () => success(`chn_${index}`)));
  }
  collector.report([success('chn_late'), success('chn_7')]);
  await expect(collector.flush()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  isAway = false;
  await collector.flush();
  expect([written.length, written.includes('chn_7'), written.includes('chn_late')]).toEqual([
    100,
    true,
    false,
  ]);
});

test('a check tells the table of what serves, and not of what stays disabled', async () => {
  const answers: ProbeResult[] = [DEAD, DEAD, { ...DEAD, healthy: true, error: '' }];
  const probe = { check: async () => answers.shift() ?? DEAD };
  const options = checkingBy(probe);
  await channels.insert(channel('serving'));
  await channels.insert(channel('dead', { status: 'auto_disabled' }));
  for (const id of ['serving', 'dead', 'dead']) await checkChannelHealth(options, id, '', NO_KEY);
  expect(announced).toEqual(['channel:serving', 'channel:dead']);
  expect((await channels.find('dead'))?.status).toBe('enabled');
});

test('a vendor that answers a check is not reported as cut off any more, and one that fails is', async () => {
  const answers: ProbeResult[] = [DEAD, { ...DEAD, healthy: true, error: '' }];
  const probe = { check: async () => answers.shift() ?? DEAD };
  const options = checkingBy(probe);
  await channels.insert(channel('quiet'));
  const { collector } = createCollector(() => undefined);
  collector.report([{ ...success('quiet'), kind: 'failure', breaker: 'open' }]);
  await collector.flush();
  const breaker = async () => (await channels.find('quiet'))?.health.breaker;
  await checkChannelHealth(options, 'quiet', 'm', NO_KEY);
  expect(await breaker()).toBe('open');
  await checkChannelHealth(options, 'quiet', 'm', NO_KEY);
  expect(await breaker()).toBe('half_open');
});

test('a check keeps what the vendor said to calls: beside its own words, and while calls fail', async () => {
  const answers: ProbeResult[] = [{ ...DEAD, error: 'It answered 404.' }, DEAD];
  const probe = { check: async () => answers.shift() ?? { ...DEAD, healthy: true, error: '' } };
  const options = checkingBy(probe);
  await channels.insert(channel('told'));
  const { collector } = createCollector(() => undefined);
  collector.report([{ ...success('told'), kind: 'failure', detail: 'it said "Invalid URL"' }]);
  await collector.flush();
  const words = 'The vendor failed a call of “m”: it said "Invalid URL".';
  const health = async () => (await channels.find('told'))?.health;
  await checkChannelHealth(options, 'told', 'm', NO_KEY);
  expect((await health())?.lastError).toBe(
    `It answered 404, asked for “m”. Before the check: ${words}`,
  );
  await checkChannelHealth(options, 'told', 'm', NO_KEY);
  expect((await health())?.lastError).toBe(`away, asked for “m”. Before the check: ${words}`);
  await checkChannelHealth(options, 'told', 'm', NO_KEY);
  expect(await health()).toMatchObject({
    state: 'unhealthy',
    lastError: `away, asked for “m”. Before the check: ${words}`,
  });
});

test('a channel that is disabled says why, whoever writes its health meanwhile', async () => {
  await channels.insert(channel('refused', { autoDisable: true }));
  const unauthorized = { ...DEAD, httpStatus: 401, error: 'answered 401' };
  const { collector } = createCollector(() => undefined, unauthorized);
  collector.report([{ ...success('refused'), kind: 'credential_refused' }]);
  await collector.idle();
  expect(await channels.find('refused')).toMatchObject({
    status: 'auto_disabled',
    health: { state: 'unhealthy', lastError: 'answered 401, asked for “m”.' },
  });
});

test('a channel whose vendor wants to be paid is disabled as one whose credential is refused, and says which', async () => {
  await channels.insert(channel('unpaid', { autoDisable: true }));
  const unpaid = { ...DEAD, httpStatus: 429, error: 'out of credit', isOutOfCredit: true } as const;
  const { collector } = createCollector(() => undefined, unpaid);
  collector.report([{ ...success('unpaid'), kind: 'credential_refused' }]);
  await collector.idle();
  expect(await channels.find('unpaid')).toMatchObject({
    status: 'auto_disabled',
    autoDisabled: { reason: 'The account at the vendor is out of credit (429).' },
    health: { lastErrorKind: 'credential_refused' },
  });
  // Other versions read it under this name.
  const stored = await store.connection
    .collection<{ readonly _id: string }>('channels')
    .findOne({ _id: 'unpaid' });
  expect(stored).toMatchObject({ selfDisabled: { reason: expect.any(String) as string } });
  expect(stored).not.toHaveProperty('autoDisabled');
});

test('settings are changed beside what calls met meanwhile', async () => {
  await channels.insert(channel('busy'));
  const present = await channels.find('busy');
  if (present === undefined) throw new Error('no channel');
  const { collector } = createCollector(() => undefined);
  collector.report([success('busy')]);
  await collector.flush();
  const renamed = { ...present, name: 'renamed', updatedAtMs: present.updatedAtMs + 1 };
  expect(await channels.update(renamed, present.updatedAtMs)).toBe(true);
  expect(await channels.find('busy')).toMatchObject({ name: 'renamed', health: { latencyMs: 80 } });
});

test.each([
  ['waits to be written', false],
  ['is written beside the record that was read before', true],
])('what a call met before its channel recovered and %s is forgotten', async (_when, isLate) => {
  await channels.insert(channel('back', { status: 'auto_disabled' }));
  const recover = async () => {
    await clock.advance(1);
    await checkChannelHealth(
      checkingBy({ check: async () => ({ ...DEAD, healthy: true, error: '' }) }),
      'back',
      'm',
      NO_KEY,
    );
  };
  const late: ChannelStore = {
    ...channels,
    async setHealth(id, health, check) {
      if (isLate) await recover();
      await channels.setHealth(id, health, check);
    },
  };
  const checkHealth = async () => ({ ...DEAD, model: 'm' });
  const options = { channels: late, routeChanges, checkHealth, clock, logger: silentLogger };
  const collector = createOutcomeCollector(options);
  collector.report([{ ...success('back'), kind: 'failure', detail: 'it said no' }]);
  if (!isLate) await recover();
  await collector.flush();
  expect(await channels.find('back')).toMatchObject({
    status: 'enabled',
    health: { state: 'healthy', lastError: null },
  });
  // What calls meet from then on counts as ever.
  const { collector: next } = createCollector(() => undefined);
  next.report([{ ...success('back'), kind: 'failure', detail: 'it said no' }]);
  await next.flush();
  expect((await channels.find('back'))?.health.lastError).toContain('it said no');
});

test.each([
  ['an hour', 60, true],
  ['half a minute', 0.5, false],
])(
  'a channel that a clock %s ahead enabled again shows what its calls meet: %s minutes, %s',
  async (_ahead, minutes, isTold) => {
    await channels.insert(channel('back', { status: 'auto_disabled' }));
    const ahead = { ...clock, now: () => clock.now() + minutes * MINUTE_MS };
    const healthy = { check: async () => ({ ...DEAD, healthy: true, error: '' }) };
    await checkChannelHealth({ ...checkingBy(healthy), clock: ahead }, 'back', 'm', NO_KEY);
    const { collector } = createCollector(() => undefined);
    collector.report([{ ...success('back'), kind: 'failure', detail: 'it said no' }]);
    await collector.flush();
    const { lastError } = (await channels.find('back'))?.health ?? {};
    expect(lastError?.includes('it said no') ?? false).toBe(isTold);
  },
);
