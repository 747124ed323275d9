import { describeDelivery, describeNextTry, describeWebhook } from './describe-webhook';

test('a webhook that fails does not look healthy', () => {
  const label = (status: 'enabled' | 'disabled' | 'auto_disabled', consecutive_failures: number) =>
    describeWebhook({ status, consecutive_failures }).label;
  expect(label('enabled', 2)).toBe('Failing, 2 in a row');
  expect(label('enabled', 0)).toBe('Enabled');
  expect(label('disabled', 2)).toBe('Disabled');
  // After failures, or without any when its queue is full.
  expect(label('auto_disabled', 50)).toBe('Disabled automatically');
  expect(label('auto_disabled', 0)).toBe('Disabled automatically');
});

test('of a delivery the tries are counted where one was not enough', () => {
  const label = (status: 'pending' | 'failed', attempts: number, isEnabled = true) =>
    describeDelivery({ status, attempts }, isEnabled).label;
  expect(label('failed', 28)).toBe('Failed, 28 tries');
  expect(label('pending', 1)).toBe('Pending');
  // Nothing is sent to a webhook that is off.
  expect(label('pending', 2, false)).toBe('Held until enabled, 2 tries');
});

test('a try whose time has come is due, whether that was now or a while ago', () => {
  const NOW_MS = Date.parse('2026-11-22T12:00:00Z');
  const said = (at: string) => describeNextTry(at, NOW_MS);
  expect(said('2026-11-22T12:05:00Z')).toBe('Next try in 5\u00a0min');
  expect(said('2026-11-22T12:00:04Z')).toBe('Next try is due');
  expect(said('2026-11-22T11:58:00Z')).toBe('Next try is due');
});
