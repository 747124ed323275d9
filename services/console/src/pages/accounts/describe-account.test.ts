import { describeAccount, describePlan } from './describe-account';

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
  const stopped = {
    ...balance('4.98', '5.00'),
    currency: 'USD',
    spending: { suspend_below: '6.00', suspended: true },
  };
  expect(describeAccount(active, stopped)).toEqual({
    tone: 'warn',
    label: 'Spends nothing below $6.00',
  });
});

test('what an operator did to an account comes before its balance', () => {
  // Nothing is wrong: somebody switched it off.
  expect(describeAccount({ status: 'suspended' }, balance('0.00', '5.00'))).toEqual({
    tone: 'idle',
    label: 'Suspended',
  });
});

test('a plan that is in no list is told as missing, once the list is known', () => {
  expect(describePlan('starter', undefined)).toEqual({ label: 'Starter', isMissing: false });
  const known = [{ id: 'free' }];
  expect(describePlan('starter', known)).toEqual({
    label: 'starter: no such plan',
    isMissing: true,
  });
  expect(describePlan('free', known)).toEqual({ label: 'Free', isMissing: false });
});
