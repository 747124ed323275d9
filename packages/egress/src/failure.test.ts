import { failureReason } from './failure';

it.each([
  ['connect', 'connect_timeout'],
  ['sent', 'reset'],
  ['body', 'reset'],
] as const)('a host that is lost in phase %s fails as %s', (phase, reason) => {
  const error = Object.assign(new Error('read ETIMEDOUT'), { code: 'ETIMEDOUT' });
  expect(failureReason(error, phase)).toBe(reason);
});
