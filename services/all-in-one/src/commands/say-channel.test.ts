import { sayPace } from './say-channel';

const figures = (p95: number, requests = 20) => {
  const percentiles = { p50: 1, p95, p99: p95 };
  return { requests, latency_ms: percentiles, first_token_ms: null };
};

test.each([
  [
    'twice as slow',
    [figures(500)],
    [figures(200)],
    'slow: p95 of latency_ms is 500 of late, and was 200',
  ],
  [
    'as ever',
    [figures(300)],
    [figures(200)],
    'as usual: p95 of latency_ms is 300 of late, and was 200',
  ],
  [
    'hardly called',
    [figures(900, 19), undefined],
    [figures(200)],
    'too few calls of late: 20 are needed',
  ],
  ['called for the first time', [figures(900)], [undefined], 'nothing to compare yet'],
])('a channel that is %s is told as that', (_what, late, before, told) => {
  expect(sayPace(late, before)).toBe(told);
});

test('an hour is compared with another one, by first tokens where both have them', () => {
  const hour = { ...figures(900), first_token_ms: { p50: 1, p95: 90, p99: 90 } };
  expect(sayPace([undefined, hour], [undefined, hour])).toBe('nothing to compare yet');
  const before = { ...figures(100), first_token_ms: { p50: 1, p95: 30, p99: 30 } };
  expect(sayPace([hour], [before])).toBe('slow: p95 of first_token_ms is 90 of late, and was 30');
});
