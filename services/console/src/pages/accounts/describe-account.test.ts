import { describeAccount } from './describe-account';

const balance = (available: string, total_credits: string) => ({ available, total_credits });

test('an active account without a balance is not said to be well', () => {
  const active = { status: 'active' } as const;
  expect(describeAccount(active, balance('0.00', '5.00'))).toEqual({
    tone: 'warn',
    label: 'Balance used up',
  });
  expect(describeAccount(active, balance('0.00', '0.00')).label).toBe('No credit yet');
  expect(describeAccount(active, balance('1.00', '5.00')).label).toBe('Active');
  expect(describeAccount(active, undefined).label).toBe('Active');
});

test('what an operator did to an account comes before its balance', () => {
  expect(describeAccount({ status: 'suspended' }, balance('0.00', '5.00')).label).toBe('Suspended');
});
