import type { Usage, UsageMetrics } from '../api/schemas';
import { isBlank, listBuckets, OTHERS, toLatency, toOutcomes, toSeries, toTicks } from './series';

function metrics(more: Partial<UsageMetrics>): UsageMetrics {
  return {
    requests: 0,
    successful_requests: 0,
    failed_requests: 0,
    client_gone_requests: 0,
    timed_out_requests: 0,
    invalid_requests: 0,
    rate_limited_requests: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
    cached_tokens: 0,
    cache_write_tokens: 0,
    reasoning_tokens: 0,
    prompt_audio_tokens: 0,
    completion_audio_tokens: 0,
    total_tokens: 0,
    spend: '0.00',
    latency_ms: null,
    first_token_ms: null,
    ...more,
  };
}

function usage(rows: readonly (readonly [string, string, Partial<UsageMetrics>])[]): Usage {
  return {
    interval: 'day',
    start: '2026-11-20T10:00:00Z',
    end: '2026-11-22T10:00:00Z',
    results: rows.map(([bucket, model, more]) => ({
      bucket,
      group: { model },
      metrics: metrics(more),
    })),
    totals: metrics({}),
    as_of: null,
  };
}

const byModel = (group: Readonly<Record<string, string>>) => group.model ?? '';

test('days without requests are drawn as zero, not left out', () => {
  const series = toSeries(
    usage([['2026-11-21T00:00:00.000Z', 'small', { requests: 3 }]]),
    'requests',
    byModel,
  );
  expect(series.names).toEqual(['small']);
  expect(series.rows.map(({ label, values }) => [label, ...values])).toEqual([
    ['20\u00a0Nov', 0],
    ['21\u00a0Nov', 3],
    ['22\u00a0Nov', 0],
  ]);
});

test('the dearest come first, and what is beyond six series is one', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const series = toSeries(
    usage(names.map((name, index) => ['2026-11-21T00:00:00Z', name, { spend: `${index}.50` }])),
    'spend',
    byModel,
  );
  expect(series.names).toEqual(['g', 'f', 'e', 'd', 'c', OTHERS]);
  expect(series.rows[1]?.values).toEqual([6.5, 5.5, 4.5, 3.5, 2.5, 2]);
});

test('the largest by what is drawn come first, and what has none of it is left out', () => {
  const answer = usage([
    ['2026-11-21T00:00:00Z', 'cheap', { requests: 9, failed_requests: 2, spend: '0.01' }],
    ['2026-11-21T00:00:00Z', 'dear', { requests: 1, spend: '5.00' }],
  ]);
  expect(toSeries(answer, 'spend', byModel).names).toEqual(['dear', 'cheap']);
  expect(toSeries(answer, 'requests', byModel).names).toEqual(['cheap', 'dear']);
  expect(toSeries(answer, 'failed_requests', byModel).names).toEqual(['cheap']);
});

test('the most requested model is not hidden in the rest because it is cheap', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const dear = names.map(
    (name) => ['2026-11-21T00:00:00Z', name, { requests: 1, spend: '2.00' }] as const,
  );
  const answer = usage([
    ...dear,
    ['2026-11-21T00:00:00Z', 'cheap', { requests: 9, spend: '0.01' }],
  ]);
  expect(toSeries(answer, 'requests', byModel).names[0]).toBe('cheap');
  expect(toSeries(answer, 'spend', byModel).names).not.toContain('cheap');
});

test('six series need no other', () => {
  const six = ['a', 'b', 'c', 'd', 'e', 'f'].map(
    (name) => ['2026-11-21T00:00:00Z', name, { requests: 1 }] as const,
  );
  expect(toSeries(usage(six), 'requests', byModel).names).not.toContain(OTHERS);
});

test('months are as long as they are', () => {
  const buckets = listBuckets({
    interval: 'month',
    start: '2026-01-15T00:00:00Z',
    end: '2026-04-01T00:00:00Z',
  });
  expect(buckets.map((at) => new Date(at).toISOString().slice(0, 10))).toEqual([
    '2026-01-01',
    '2026-02-01',
    '2026-03-01',
  ]);
});

test('a day without requests took no time at all, which is not zero', () => {
  const times = { p50: 10, p95: 20, p99: 30 };
  const series = toLatency(usage([['2026-11-21T00:00:00Z', '', { latency_ms: times }]]));
  expect(series.rows.map(({ values }) => values)).toEqual([
    [null, null],
    [10, 20],
    [null, null],
  ]);
});

test('an hour without requests neither succeeded nor failed', () => {
  const ended = { successful_requests: 3, failed_requests: 3, client_gone_requests: 2 };
  const series = toOutcomes(usage([['2026-11-21T00:00:00Z', '', ended]]));
  expect(series.names).toEqual(['Succeeded', 'Failed', 'Client left']);
  expect(series.rows.map(({ values }) => values)).toEqual([
    [0, 0, 0],
    [3, 1, 2],
    [0, 0, 0],
  ]);
});

test.each([
  [[0.00044], false, [0, 0.0002, 0.0004, 0.0006]],
  [[2], true, [0, 1, 2]],
  [[0.9], false, [0, 0.5, 1]],
  [[7, 3], true, [0, 5, 10]],
  [[0], true, [0, 1]],
  [[137], true, [0, 50, 100, 150]],
])('the axis of bars of %j has round heights', (values, isWhole, ticks) => {
  const series = { names: values.map(String), rows: [{ at: '', label: '', values }] };
  expect(toTicks(series, { isStacked: true, isWhole })).toEqual(ticks);
});

test('lines are not stacked, and a gap in one has no height', () => {
  const rows = [{ at: '', label: '', values: [300, null, 420] }];
  const series = { names: ['p50', 'p95', 'p99'], rows };
  expect(toTicks(series, { isStacked: false, isWhole: true })).toEqual([0, 200, 400, 600]);
});

test('a range in which nothing happened has nothing to draw', () => {
  const row = { at: '2026-11-22T00:00:00.000Z', label: '22\u00a0Nov' };
  expect(isBlank({ rows: [] })).toBe(true);
  expect(isBlank({ rows: [{ ...row, values: [0, null] }] })).toBe(true);
  expect(isBlank({ rows: [{ ...row, values: [0, 2] }] })).toBe(false);
});
