import type { routingV1, statsV1 } from '@tollgate/protos';
import { type ChannelFigures, paceOf } from './channel-pace';

type Metrics = statsV1.UsageMetrics__Output;

const metrics = (p95: number, requests = 20, firstToken?: number) => {
  const percentiles = (ms: number) => ({ p50: 1, p95: ms, p99: ms });
  return {
    requests: `${requests}`,
    latencyMs: percentiles(p95),
    firstTokenMs: firstToken === undefined ? null : percentiles(firstToken),
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
  paceOf(figuresOf(hours), channel('a'), channels);

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
      'Too few requests to tell: 19 in this hour and 0 in the hour before; 20 in one are needed.',
  });
  expect(tell({ thisHour: { a: metrics(250) } })).toMatchObject({
    state: 'unknown',
    p95_ms: 250,
    compared_with: null,
    in_words:
      '95 of 100 answers came within 250 ms in this hour; there is nothing to compare it with yet.',
  });
});
