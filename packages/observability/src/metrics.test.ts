import { createMetrics } from './index';

test('counters, gauges and histograms are exposed in the Prometheus text format', async () => {
  const metrics = createMetrics();
  const requests = metrics.counter({
    name: 'tollgate_test_requests_total',
    help: 'Requests.',
    labels: ['outcome'],
  });
  const open = metrics.gauge({ name: 'tollgate_test_open_streams', help: 'Streams.' });
  const took = metrics.histogram({
    name: 'tollgate_test_duration_seconds',
    help: 'Duration.',
    labels: ['path'],
    buckets: [0.1, 1],
  });
  requests.inc({ outcome: 'ok' });
  requests.child({ outcome: 'ok' }).inc(2);
  open.set(4);
  took.observe(0.5, { path: 'a' });
  took.child({ path: 'a' }).observe(0.05);
  const text = await metrics.expose();
  expect(text).toContain('tollgate_test_requests_total{outcome="ok"} 3');
  expect(text).toContain('tollgate_test_open_streams 4');
  expect(text).toContain('tollgate_test_duration_seconds_bucket{le="0.1",path="a"} 1');
  expect(text).toContain('tollgate_test_duration_seconds_count{path="a"} 2');
});

test('a gauge can be sampled at each scrape', async () => {
  const metrics = createMetrics();
  let size = 1;
  metrics.gauge({ name: 'tollgate_test_entries', help: 'Entries.', collect: () => size });
  expect(await metrics.expose()).toContain('tollgate_test_entries 1');
  size = 7;
  expect(await metrics.expose()).toContain('tollgate_test_entries 7');
});

test('services in one process share a metric that both declare', async () => {
  const metrics = createMetrics();
  const options = { name: 'tollgate_rpc_calls_total', help: 'Calls.', labels: ['code'] } as const;
  metrics.counter(options).inc({ code: 'OK' });
  metrics.counter(options).inc({ code: 'OK' });
  expect(await metrics.expose()).toContain('tollgate_rpc_calls_total{code="OK"} 2');
});

test('one name with two kinds or two label sets is refused', () => {
  const metrics = createMetrics();
  metrics.counter({ name: 'tollgate_a_total', help: 'A.' });
  expect(() => metrics.gauge({ name: 'tollgate_a_total', help: 'A.' })).toThrow('declared twice');
  const labelled = { name: 'tollgate_a_total', help: 'A.', labels: ['x'] } as const;
  expect(() => metrics.counter(labelled)).toThrow('declared twice');
});

test('two hosts do not share metrics', async () => {
  const first = createMetrics();
  first.counter({ name: 'tollgate_a_total', help: 'A.' }).inc();
  expect(await createMetrics().expose()).not.toContain('tollgate_a_total');
});

test('a histogram shows buckets with all below them, sum and count of every child', async () => {
  const metrics = createMetrics();
  const options = { name: 'tollgate_seconds', help: 'Time.', buckets: [1, 0.1] };
  const took = metrics.histogram({ ...options, labels: ['path'] });
  const plain = metrics.histogram({ ...options, name: 'tollgate_plain_seconds' });
  const a = took.child({ path: 'a"b' });
  for (const value of [0.05, 0.1, 0.5, 7]) a.observe(value);
  took.child({ path: 'never' });
  const text = await metrics.expose();
  expect(text).toContain(
    [
      '# HELP tollgate_seconds Time.',
      '# TYPE tollgate_seconds histogram',
      'tollgate_seconds_bucket{le="0.1",path="a\\"b"} 2',
      'tollgate_seconds_bucket{le="1",path="a\\"b"} 3',
      'tollgate_seconds_bucket{le="+Inf",path="a\\"b"} 4',
      'tollgate_seconds_sum{path="a\\"b"} 7.65',
      'tollgate_seconds_count{path="a\\"b"} 4',
    ].join('\n'),
  );
  expect(text).not.toContain('never');
  expect(text).toContain('tollgate_plain_seconds_bucket{le="+Inf"} 0');
  plain.observe(2);
  expect(await metrics.expose()).toContain('tollgate_plain_seconds_sum 2');
  expect(() => plain.observe(Number.NaN)).toThrow(TypeError);
});

test('what a child counted is in every scrape once', async () => {
  const metrics = createMetrics();
  const calls = metrics.counter({ name: 'tollgate_calls_total', help: 'Calls.', labels: ['code'] });
  const bound = calls.child({ code: 'OK' });
  expect(await metrics.expose()).not.toContain('code="OK"');
  bound.inc();
  expect(await metrics.expose()).toContain('tollgate_calls_total{code="OK"} 1');
  bound.inc(2);
  calls.child({ code: 'OK' }).inc();
  expect(await metrics.expose()).toContain('tollgate_calls_total{code="OK"} 4');
});
