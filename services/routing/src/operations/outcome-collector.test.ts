import { AppError, MINUTE_MS } from '@tollgate/core';
import { NO_KEY } from '@tollgate/mongo';
import { settlePromises } from '@tollgate/testkit';
import type { ChannelStore } from '../domain/ports';
import { COLLECTIONS } from '../storage/collections';
import {
  channelNamed,
  DEAD,
  type HealthFixture,
  startHealthFixture,
  successOf,
  WELL,
} from '../testing/health-fixture';
import { checkChannelHealth } from './channel-health';

let fixture: HealthFixture;

beforeEach(async () => {
  fixture = await startHealthFixture();
});

afterEach(() => fixture.close());

const latencyOf = async (id: string) => (await fixture.channels.find(id))?.health.latencyMs;

test('a channel whose health cannot be written holds up no other one', async () => {
  for (const id of ['a', 'b', 'c']) await fixture.channels.insert(channelNamed(id));
  const broken = new AppError('DATABASE_ERROR', { retryable: false });
  const { collector, logger } = fixture.startCollector((id) => (id === 'a' ? broken : undefined));
  collector.report(['a', 'b', 'c'].map(successOf));
  await collector.flush();
  expect([await latencyOf('a'), await latencyOf('b'), await latencyOf('c')]).toEqual([
    null,
    80,
    80,
  ]);
  expect(fixture.announced.toSorted()).toEqual(['observed:b', 'observed:c']);
  expect(logger.lines.map(({ fields }) => fields.channelId)).toEqual(['a']);
});

test('what the store did not take is written with the next round', async () => {
  for (const id of ['a', 'b']) await fixture.channels.insert(channelNamed(id));
  let failure: AppError | undefined = new AppError('SERVICE_UNAVAILABLE');
  const { collector } = fixture.startCollector(() => failure);
  collector.report(['a', 'b'].map(successOf));
  await expect(collector.flush()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(fixture.announced).toEqual([]);
  failure = undefined;
  await collector.flush();
  expect([await latencyOf('a'), await latencyOf('b')]).toEqual([80, 80]);
});

test('channels are written beside each other, a bounded number at once', async () => {
  const open = Promise.withResolvers<void>();
  const under = new Set<string>();
  // The collector uses these two alone.
  const slow = {
    find: async (id: string) => channelNamed(id),
    async writeHealth(id: string) {
      under.add(id);
      await open.promise;
    },
  } as unknown as ChannelStore;
  const collector = fixture.collectorOver(slow);
  collector.report(Array.from({ length: 700 }, (_, index) => successOf(`chn_${index}`)));
  const flushed = collector.flush();
  await settlePromises();
  expect(under.size).toBe(16);
  open.resolve();
  await flushed;
  expect(under.size).toBe(700);
  // So many are not named, because each replica reads the names with every change.
  expect(fixture.announced).toEqual(['observed']);
});

test('observations that wait for the store have a bound, however many channels are seen', async () => {
  const written: string[] = [];
  let isAway = true;
  // The collector uses these two alone.
  const store = {
    find: async (id: string) => channelNamed(id),
    async writeHealth(id: string) {
      if (isAway) throw new AppError('SERVICE_UNAVAILABLE');
      written.push(id);
    },
  } as unknown as ChannelStore;
  const collector = fixture.collectorOver(store);
  for (let index = 0; index < 100; index += 1) {
    collector.report(Array.from({ length: 1_100 }, () => successOf(`chn_${index}`)));
  }
  collector.report([successOf('chn_late'), successOf('chn_7')]);
  await expect(collector.flush()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  isAway = false;
  await collector.flush();
  expect([written.length, written.includes('chn_7'), written.includes('chn_late')]).toEqual([
    100,
    true,
    false,
  ]);
});

test('a channel that is disabled says why, whoever writes its health meanwhile', async () => {
  await fixture.channels.insert(channelNamed('refused', { autoDisable: true }));
  const unauthorized = { ...DEAD, httpStatus: 401, error: 'answered 401' };
  const { collector } = fixture.startCollector(() => undefined, unauthorized);
  collector.report([{ ...successOf('refused'), kind: 'credential_refused' }]);
  await collector.idle();
  expect(await fixture.channels.find('refused')).toMatchObject({
    status: 'auto_disabled',
    health: { state: 'unhealthy', lastError: 'answered 401, asked for “m”.' },
  });
});

test('a channel whose vendor wants to be paid is disabled as one whose credential is refused, and says which', async () => {
  await fixture.channels.insert(channelNamed('unpaid', { autoDisable: true }));
  const unpaid = { ...DEAD, httpStatus: 429, error: 'out of credit', isOutOfCredit: true } as const;
  const { collector } = fixture.startCollector(() => undefined, unpaid);
  collector.report([{ ...successOf('unpaid'), kind: 'credential_refused' }]);
  await collector.idle();
  expect(await fixture.channels.find('unpaid')).toMatchObject({
    status: 'auto_disabled',
    autoDisabled: { reason: 'The account at the vendor is out of credit (429).' },
    health: { lastErrorKind: 'credential_refused' },
  });
  // Other versions read it under this name.
  const stored = await fixture.mongo.connection
    .collection<{ readonly _id: string }>(COLLECTIONS.channels)
    .findOne({ _id: 'unpaid' });
  expect(stored).toMatchObject({ selfDisabled: { reason: expect.any(String) as string } });
  expect(stored).not.toHaveProperty('autoDisabled');
});

test('settings are changed beside what calls met meanwhile', async () => {
  await fixture.channels.insert(channelNamed('busy'));
  const present = await fixture.channels.find('busy');
  if (present === undefined) throw new Error('no channel');
  const { collector } = fixture.startCollector();
  collector.report([successOf('busy')]);
  await collector.flush();
  const renamed = { ...present, name: 'renamed', updatedAtMs: present.updatedAtMs + 1 };
  expect(await fixture.channels.update(renamed, present.updatedAtMs)).toBe(true);
  expect(await fixture.channels.find('busy')).toMatchObject({
    name: 'renamed',
    health: { latencyMs: 80 },
  });
});

test.each([
  ['waits to be written', false],
  ['is written beside the record that was read before', true],
])('what a call met before its channel recovered and %s is forgotten', async (_when, isLate) => {
  await fixture.channels.insert(channelNamed('back', { status: 'auto_disabled' }));
  const recover = async () => {
    await fixture.clock.advance(1);
    await checkChannelHealth(fixture.checkingBy({ check: async () => WELL }), 'back', 'm', NO_KEY);
  };
  const late: ChannelStore = {
    ...fixture.channels,
    async writeHealth(id, health, check) {
      if (isLate) await recover();
      await fixture.channels.writeHealth(id, health, check);
    },
  };
  const collector = fixture.collectorOver(late);
  collector.report([{ ...successOf('back'), kind: 'failure', detail: 'it said no' }]);
  if (!isLate) await recover();
  await collector.flush();
  expect(await fixture.channels.find('back')).toMatchObject({
    status: 'enabled',
    health: { state: 'healthy', lastError: null },
  });
  // What calls meet from then on counts as ever.
  const { collector: next } = fixture.startCollector();
  next.report([{ ...successOf('back'), kind: 'failure', detail: 'it said no' }]);
  await next.flush();
  expect((await fixture.channels.find('back'))?.health.lastError).toContain('it said no');
});

test.each([
  ['an hour', 60, true],
  ['half a minute', 0.5, false],
])(
  'a channel that a clock %s ahead enabled again shows what its calls meet: %s minutes, %s',
  async (_ahead, minutes, isTold) => {
    await fixture.channels.insert(channelNamed('back', { status: 'auto_disabled' }));
    const ahead = { ...fixture.clock, now: () => fixture.clock.now() + minutes * MINUTE_MS };
    const healthy = { check: async () => WELL };
    await checkChannelHealth({ ...fixture.checkingBy(healthy), clock: ahead }, 'back', 'm', NO_KEY);
    const { collector } = fixture.startCollector();
    collector.report([{ ...successOf('back'), kind: 'failure', detail: 'it said no' }]);
    await collector.flush();
    const { lastError } = (await fixture.channels.find('back'))?.health ?? {};
    expect(lastError?.includes('it said no') ?? false).toBe(isTold);
  },
);
