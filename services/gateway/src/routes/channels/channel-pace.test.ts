import type { routingV1, statsV1 } from '@tollgate/protos';
import { type ChannelFigures, channelPaceOf } from './channel-pace';

type Metrics = statsV1.UsageMetrics__Output;

interface Told {
  readonly streams?: number;
  readonly failed?: number;
  readonly timedOut?: number;
  readonly clientGone?: number;
}

const metrics = (p95: number, answers = 20, firstToken?: number, told: Told = {}) => {
  const { clientGone = 0, failed = 0, streams = answers, timedOut = 0 } = told;
  const percentiles = (ms: number, count: number) => ({ p50: 1, p95: ms, p99: ms, count });
  // What is said of the pace reads no other figures.
  return {
    requests: `${answers + failed}`,
    failedRequests: `${failed}`,
    timedOutRequests: `${timedOut}`,
    clientGoneRequests: `${clientGone}`,
    latencyMs: answers === 0 ? null : percentiles(p95, answers),
    firstTokenMs: firstToken === undefined ? null : percentiles(firstToken, streams),
  } as Metrics;
};

const channel = (id: string, model = 'small', ownerAccountId = '') =>
  ({
    id,
    name: `vendor ${id}`,
    ownerAccountId,
    models: [{ name: model, upstreamName: model }],
  }) as routingV1.Channel__Output;

type Hours = Readonly<Partial<Record<keyof ChannelFigures, Readonly<Record<string, Metrics>>>>>;

const figuresOf = ({ thisHour = {}, hourBefore = {}, yesterday = {} }: Hours): ChannelFigures => ({
  thisHour: new Map(Object.entries(thisHour)),
  hourBefore: new Map(Object.entries(hourBefore)),
  yesterday: new Map(Object.entries(yesterday)),
});

const tell = (hours: Hours, channels = [channel('a')]) =>
  channelPaceOf(figuresOf(hours), channel('a'), channels);

test('a channel is slow when its slowest requests take more than twice as long as yesterday', () => {
  expect(tell({ thisHour: { a: metrics(2400) }, yesterday: { a: metrics(800) } })).toEqual({
    state: 'slow',
    metric: 'latency_ms',
    p95_ms: 2400,
    usual_p95_ms: 800,
    compared_with: 'yesterday',
    in_words:
      'Slow: 95 of 100 answers came within 2.4 s in this hour, and within 800 ms yesterday.',
  });
});

test.each([
  ['as long as ever', metrics(1500), metrics(800), 'usual'],
  ['longer by less than anybody notices', metrics(190), metrics(10), 'usual'],
  ['twice as long', metrics(1700), metrics(800), 'slow'],
])('a channel that takes %s is told as that', (_what, now, usual, state) => {
  const { compared_with, ...told } = tell({ thisHour: { a: now }, hourBefore: { a: usual } });
  expect([told.state, compared_with]).toEqual([state, 'hour_before']);
});

test('the first minutes of an hour are judged by the hour before, and that by yesterday', () => {
  const hours = { thisHour: { a: metrics(90, 3) }, hourBefore: { a: metrics(1900) } };
  expect(tell({ ...hours, yesterday: { a: metrics(300) } }).in_words).toBe(
    'Slow: 95 of 100 answers came within 1.9 s in the hour before, and within 300 ms yesterday.',
  );
});

test('first tokens are compared where both have them', () => {
  const hours = {
    thisHour: { a: metrics(9000, 20, 900) },
    yesterday: { a: metrics(9000, 20, 100) },
  };
  expect(tell(hours)).toMatchObject({ state: 'slow', metric: 'first_token_ms', p95_ms: 900 });
  const unstreamed = { ...hours, yesterday: { a: metrics(9000) } };
  expect(tell(unstreamed)).toMatchObject({ state: 'usual', metric: 'latency_ms' });
});

test('a new channel is compared with the fastest shared channel of its models', () => {
  const thisHour = {
    a: metrics(2000),
    b: metrics(900),
    c: metrics(300),
    other: metrics(10),
    owned: metrics(20),
    quiet: metrics(5, 19),
  };
  const channels = [
    ...['a', 'b', 'c', 'quiet'].map((id) => channel(id)),
    channel('other', 'another model'),
    channel('owned', 'small', 'acc_1'),
  ];
  expect(tell({ thisHour }, channels)).toMatchObject({
    state: 'slow',
    usual_p95_ms: 300,
    compared_with: 'other_channel',
    in_words:
      'Slow: 95 of 100 answers came within 2.0 s in this hour, ' +
      'and within 300 ms at vendor c, which serves the same.',
  });
});

test('what cannot be told says why', () => {
  expect(tell({ thisHour: { a: metrics(9000, 19) } })).toMatchObject({
    state: 'unknown',
    p95_ms: null,
    in_words:
      'Too few answers to tell: 19 in this hour and 0 in the hour before; 20 in one are needed.',
  });
  expect(tell({ thisHour: { a: metrics(250) } })).toMatchObject({
    state: 'unknown',
    p95_ms: 250,
    compared_with: null,
    in_words:
      '95 of 100 answers came within 250 ms in this hour; there is nothing to compare it with yet.',
  });
});

test('requests that timed out are named apart', () => {
  const now = metrics(43, 50, undefined, { failed: 3, timedOut: 3 });
  expect(tell({ thisHour: { a: now }, hourBefore: { a: metrics(43) } }).in_words).toBe(
    'As usual: 95 of 100 answers came within 43 ms in this hour, and within 43 ms in the hour ' +
      'before. 3 of 53 requests timed out.',
  );
  const some = metrics(43, 50, undefined, { failed: 5, timedOut: 2, clientGone: 2 });
  expect(tell({ thisHour: { a: some } }).in_words).toContain(
    '3 of 55 requests failed, 2 of them timed out.',
  );
  const none = metrics(0, 0, undefined, { failed: 30, timedOut: 30 });
  expect(tell({ thisHour: { a: none } })).toMatchObject({
    state: 'unknown',
    in_words:
      'Too few answers to tell: 0 in this hour and 0 in the hour before; 20 in one are needed. ' +
      '30 of 30 requests timed out in this hour.',
  });
});

test('the twenty are counted of what is quoted, which is what most requests are', () => {
  const oneStream = metrics(2000, 50, 30, { streams: 1 });
  const hours = {
    thisHour: { a: oneStream },
    hourBefore: { a: metrics(60, 50, 30, { streams: 3 }) },
  };
  expect(tell(hours)).toMatchObject({ state: 'slow', metric: 'latency_ms', p95_ms: 2000 });
  const mostlyWhole = metrics(2000, 100, 30, { streams: 20 });
  expect(tell({ ...hours, thisHour: { a: mostlyWhole } })).toMatchObject({ metric: 'latency_ms' });
  const mostlyStreams = metrics(60, 30, 900, { streams: 25 });
  expect(tell({ ...hours, thisHour: { a: mostlyStreams } })).toMatchObject({
    metric: 'latency_ms',
    state: 'usual',
  });
});

test('one that was always slow is told what answers faster', () => {
  const always = { a: metrics(2600), b: metrics(93) };
  const channels = [channel('a'), channel('b')];
  expect(tell({ thisHour: always, hourBefore: always }, channels)).toMatchObject({
    state: 'usual',
    compared_with: 'hour_before',
    in_words:
      'As usual: 95 of 100 answers came within 2.6 s in this hour, and within 2.6 s in the hour ' +
      'before. Much faster: within 93 ms at vendor b, which serves the same.',
  });
});
