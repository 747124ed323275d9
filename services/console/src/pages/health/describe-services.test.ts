import { LIVE_MS } from '../../api/queries';
import { describeServices, staleSince } from './describe-services';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const alert = (type: 'service' | 'channel', severity: 'critical' | 'warning', title = type) => ({
  subject: { type, id: '' },
  severity,
  title,
});
const describe = (said: Partial<Parameters<typeof describeServices>[0]>) => {
  const defaults = { isReady: true, alerts: [], staleSinceMs: undefined, isAway: false };
  return describeServices({ ...defaults, ...said }, NOW);
};

test('all services answer where no alert is about one', () => {
  expect(describe({ alerts: [alert('channel', 'critical')] })).toMatchObject({
    tone: 'good',
    label: 'All answer',
  });
});

test('a service that is silent is named, and a gateway that is not ready comes first', () => {
  const alerts = [{ ...alert('service', 'critical'), title: 'billing does not answer' }];
  expect(describe({ alerts })).toMatchObject({ tone: 'bad', note: 'billing does not answer' });
  expect(describe({ isReady: false, alerts })).toMatchObject({ label: 'Not ready' });
});

test('an instance that refuses is no silence, and nothing is said before somebody answered', () => {
  expect(describe({ alerts: [alert('service', 'warning')] })).toMatchObject({ tone: 'warn' });
  expect(describe({ isReady: undefined, alerts: undefined })).toMatchObject({ tone: 'idle' });
});

test('what answered all is well and answers no more is not reached, and never green', () => {
  expect(describe({ staleSinceMs: NOW - 20_000, isAway: true })).toEqual({
    tone: 'bad',
    label: 'Not reached',
    note: 'Last answer 20\u00a0s ago',
  });
  expect(describe({ staleSinceMs: NOW - 40_000 })).toMatchObject({ tone: 'idle' });
  expect(describe({ isReady: undefined, alerts: undefined, isAway: true })).toMatchObject({
    label: 'Not reached',
    note: 'Nothing answers',
  });
});

const answered = (atMs: number, error: Error | null = null) => ({
  data: true,
  error,
  dataUpdatedAt: atMs,
});
const nothing = { data: undefined, error: new Error('away'), dataUpdatedAt: 0 };

test('an answer that is kept while the next one fails is not of now', () => {
  expect(staleSince([answered(NOW - 1)], NOW)).toBeUndefined();
  expect(staleSince([answered(NOW - 1, new Error('away'))], NOW)).toBe(NOW - 1);
});

test('an answer after which none came is old, and the oldest counts', () => {
  const old = answered(NOW - 4 * LIVE_MS);
  expect(staleSince([answered(NOW), old, answered(NOW, new Error('away'))], NOW)).toBe(
    NOW - 4 * LIVE_MS,
  );
});

test('what was never answered is not stale', () => {
  expect(staleSince([nothing], NOW)).toBeUndefined();
});
