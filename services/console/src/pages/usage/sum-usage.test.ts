import type { UsageMetrics } from '../../api/schemas';
import {
  describeUnserved,
  dimensionOf,
  hasLimited,
  hrefOfPart,
  isUnused,
  splitFailed,
  sumOverTime,
  sumUsage,
} from './sum-usage';

const metrics = (requests: number, failed_requests: number, spend: string) =>
  ({
    requests,
    failed_requests: failed_requests + 1,
    client_gone_requests: 1,
    rate_limited_requests: requests,
    prompt_tokens: requests * 10,
    completion_tokens: requests,
    spend,
  }) as UsageMetrics;

const row = (bucket: string, model: string, more: UsageMetrics) => ({
  bucket,
  group: { model },
  metrics: more,
});

test('parts are added up over time without losing a digit, the dearest first', () => {
  const sums = sumUsage(
    {
      results: [
        row('2026-11-21T00:00:00Z', 'small', metrics(2, 1, '0.1')),
        row('2026-11-22T00:00:00Z', 'small', metrics(1, 0, '0.2')),
        row('2026-11-22T00:00:00Z', 'large', metrics(1, 0, '0.300000001')),
      ],
    },
    'model',
    ({ model = '' }) => model.toUpperCase(),
  );
  const told = sums.map((sum) => [
    sum.id,
    sum.name,
    sum.requests,
    sum.failed,
    sum.limited,
    sum.spend,
  ]);
  expect(told).toEqual([
    ['large', 'LARGE', 1, 0, 1, '0.300000001'],
    ['small', 'SMALL', 3, 1, 3, '0.30'],
  ]);
});

test('two hours of one name, when the clocks go back, stay two rows, the newest first', () => {
  const hours = ['2026-10-25T00:00:00Z', '2026-10-25T01:00:00Z', '2026-10-25T01:00:00Z'];
  const results = hours.map((hour) => row(hour, 'small', metrics(1, 0, '0.1')));
  const sums = sumOverTime({ interval: 'hour', results }, 'Europe/Berlin');
  expect(sums.map(({ id, name, requests }) => [id, name, requests])).toEqual([
    ['2026-10-25T01:00:00Z', '25\u00a0Oct, 02:00', 2],
    ['2026-10-25T00:00:00Z', '25\u00a0Oct, 02:00', 1],
  ]);
});

test('an answer that stands in for the next one says itself what it is split by', () => {
  const results = [row('2026-11-21T00:00:00Z', '', metrics(1, 0, '0.1'))];
  expect(dimensionOf({ results })).toBe('model');
  expect(dimensionOf({ results: [] })).toBeUndefined();
});

test('what a rate limit refused is told where there is any', () => {
  expect(hasLimited([{ limited: 0 }, { limited: 12 }])).toBe(true);
  expect(hasLimited([{ limited: 0 }])).toBe(false);
});

test('what a vendor failed is told apart from what no channel could take', () => {
  const results = [
    row('2026-11-21T00:00:00Z', 'small', metrics(5, 2, '0.1')),
    row('2026-11-21T00:00:00Z', '', metrics(4, 4, '0')),
    row('2026-11-22T00:00:00Z', '', metrics(1, 1, '0')),
  ];
  expect(splitFailed({ results })).toEqual({ failed: 2, unserved: 5 });
});

test('a row of the usage leads to its requests, where a list can be narrowed to them', () => {
  expect(hrefOfPart('model', 'a b')).toBe('/requests?model=a%20b');
  expect(hrefOfPart('key', 'key_1')).toBe('/requests?key=key_1');
  expect(hrefOfPart('status', 'failed')).toBe('/requests?status=failed');
  expect(hrefOfPart('user', 'usr_1')).toBeUndefined();
  expect(hrefOfPart('model', '')).toBe('/requests?status=refused');
  expect(hrefOfPart('status', 'rate_limited')).toBe('/requests?status=refused');
  expect(hrefOfPart('user', '')).toBeUndefined();
});

test('an account that a limit refused everything is not told that it used nothing', () => {
  const nothing = { requests: 0, rate_limited_requests: 0 };
  const refused = { requests: 0, rate_limited_requests: 12 };
  expect([isUnused(nothing), isUnused(refused)]).toEqual([true, false]);
  expect(describeUnserved(nothing, '7 days')).toBe('Nothing was asked in 7 days.');
  expect(describeUnserved(refused, '7 days')).toBe(
    'Nothing was served in 7 days: a limit refused 12 requests.',
  );
});
