import { describeWebhook } from './describe-webhook';

test('a webhook that fails does not look healthy', () => {
  const label = (status: 'enabled' | 'disabled' | 'auto_disabled', consecutive_failures: number) =>
    describeWebhook({ status, consecutive_failures }).label;
  expect(label('enabled', 2)).toBe('Failing, 2 in a row');
  expect(label('enabled', 0)).toBe('Enabled');
  expect(label('disabled', 2)).toBe('Disabled');
  expect(label('auto_disabled', 50)).toBe('Disabled after failures');
});
