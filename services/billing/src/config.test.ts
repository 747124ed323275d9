import { parseConfig } from '@tollgate/config';
import { billingConfigSchema } from './config';

const NEEDED = {
  MONGODB_URI: 'mongodb://127.0.0.1:1/test',
  TOLLGATE_SERVICE_SECRET: 'x'.repeat(32),
  TOLLGATE_SEALING_KEYS: `a:${Buffer.alloc(32).toString('base64')}`,
};
const HOUR_MS = 3_600_000;

test('audits are made once an hour at least: alerts tell of one that is three hours old', () => {
  const parse = (intervalMs: number) =>
    parseConfig(billingConfigSchema, {
      ...NEEDED,
      TOLLGATE_BILLING_AUDIT_INTERVAL_MS: `${intervalMs}`,
    });
  expect(parse(HOUR_MS).auditIntervalMs).toBe(HOUR_MS);
  expect(() => parse(HOUR_MS + 1)).toThrow('TOLLGATE_BILLING_AUDIT_INTERVAL_MS');
});
