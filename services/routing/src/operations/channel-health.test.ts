import { NO_KEY } from '@tollgate/mongo';
import type { ProbeResult } from '../domain/ports';
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

test('a check tells the table of what serves, and not of what stays disabled', async () => {
  const answers: ProbeResult[] = [DEAD, DEAD, WELL];
  const probe = { check: async () => answers.shift() ?? DEAD };
  const options = fixture.checkingBy(probe);
  await fixture.channels.insert(channelNamed('serving'));
  await fixture.channels.insert(channelNamed('dead', { status: 'auto_disabled' }));
  for (const id of ['serving', 'dead', 'dead']) await checkChannelHealth(options, id, '', NO_KEY);
  expect(fixture.announced).toEqual(['observed:serving', 'channel:dead']);
  expect((await fixture.channels.find('dead'))?.status).toBe('enabled');
});

test('what calls met while a check waited for its vendor stays', async () => {
  await fixture.channels.insert(channelNamed('asked'));
  const { collector } = fixture.startCollector();
  const words = 'The vendor failed a call of “m”: it said "no".';
  const probe = {
    async check() {
      collector.report([{ ...successOf('asked'), kind: 'failure', detail: 'it said "no"' }]);
      await collector.flush();
      return DEAD;
    },
  };
  await checkChannelHealth(fixture.checkingBy(probe), 'asked', 'm', NO_KEY);
  expect((await fixture.channels.find('asked'))?.health.lastError).toBe(
    `away, asked for “m”. Before the check: ${words}`,
  );
});

test('so does what they met of a model that the channel was given meanwhile', async () => {
  await fixture.channels.insert(channelNamed('asked'));
  const { collector } = fixture.startCollector();
  const probe = {
    async check() {
      const present = await fixture.channels.find('asked');
      if (present === undefined) throw new Error('it is there');
      const [model] = present.models;
      if (model === undefined) throw new Error('it serves one');
      const models = [model, { ...model, name: 'new', upstreamName: 'new' }];
      const changed = { ...present, models, updatedAtMs: present.updatedAtMs + 1 };
      await fixture.channels.update(changed, present.updatedAtMs);
      collector.report([{ ...successOf('asked'), model: 'new', kind: 'failure', detail: 'no' }]);
      await collector.flush();
      return WELL;
    },
  };
  await checkChannelHealth(fixture.checkingBy(probe), 'asked', 'm', NO_KEY);
  const health = (await fixture.channels.find('asked'))?.health;
  expect(health?.models.map(({ model }) => model).sort()).toEqual(['m', 'new']);
});

test('a disabled channel that was changed while it was checked is enabled all the same', async () => {
  await fixture.channels.insert(channelNamed('dead', { status: 'auto_disabled' }));
  const probe = {
    async check() {
      const present = await fixture.channels.find('dead');
      if (present === undefined) throw new Error('it is there');
      const changed = { ...present, weight: 7, updatedAtMs: present.updatedAtMs + 1 };
      await fixture.channels.update(changed, present.updatedAtMs);
      return WELL;
    },
  };
  await checkChannelHealth(fixture.checkingBy(probe), 'dead', '', NO_KEY);
  const after = await fixture.channels.find('dead');
  expect(after).toMatchObject({ status: 'enabled', weight: 7 });
});

test.each([
  ['its credential', { sealedCredential: 'another' }],
  ['its address', { baseUrl: 'http://another.example/v1' }],
  ['the name of the model at the vendor', { models: [{ name: 'm', upstreamName: 'another' }] }],
])('of a disabled channel a check says nothing once %s is another one', async (_what, change) => {
  await fixture.channels.insert(channelNamed('dead', { status: 'auto_disabled' }));
  const changing = (result: ProbeResult) => ({
    async check() {
      const present = await fixture.channels.find('dead');
      if (present === undefined) throw new Error('it is there');
      const changed = { ...present, ...change, updatedAtMs: present.updatedAtMs + 1 };
      await fixture.channels.update(changed, present.updatedAtMs);
      return result;
    },
  });
  const checked = checkChannelHealth(fixture.checkingBy(changing(WELL)), 'dead', '', NO_KEY);
  await expect(checked).rejects.toMatchObject({ code: 'CONFLICT', retryable: true });
  expect((await fixture.channels.find('dead'))?.status).toBe('auto_disabled');
});

test('a vendor that answers a check is not reported as cut off any more, and one that fails is', async () => {
  const answers: ProbeResult[] = [DEAD, WELL];
  const probe = { check: async () => answers.shift() ?? DEAD };
  const options = fixture.checkingBy(probe);
  await fixture.channels.insert(channelNamed('quiet'));
  const { collector } = fixture.startCollector();
  collector.report([{ ...successOf('quiet'), kind: 'failure', breaker: 'open' }]);
  await collector.flush();
  const breaker = async () => (await fixture.channels.find('quiet'))?.health.breaker;
  await checkChannelHealth(options, 'quiet', 'm', NO_KEY);
  expect(await breaker()).toBe('open');
  await checkChannelHealth(options, 'quiet', 'm', NO_KEY);
  expect(await breaker()).toBe('half_open');
});

test('a check keeps what the vendor said to calls: beside its own words, and while calls fail', async () => {
  const answers: ProbeResult[] = [{ ...DEAD, error: 'It answered 404.' }, DEAD];
  const probe = { check: async () => answers.shift() ?? WELL };
  const options = fixture.checkingBy(probe);
  await fixture.channels.insert(channelNamed('told'));
  const { collector } = fixture.startCollector();
  collector.report([{ ...successOf('told'), kind: 'failure', detail: 'it said "Invalid URL"' }]);
  await collector.flush();
  const words = 'The vendor failed a call of “m”: it said "Invalid URL".';
  const health = async () => (await fixture.channels.find('told'))?.health;
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
