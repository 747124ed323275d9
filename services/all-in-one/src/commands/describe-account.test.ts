import { describeMoney } from './describe-account';

const balance = {
  total_credits: '5.00',
  total_usage: '0.037',
  balance: '4.963',
  reserved: '4.93',
  available: '0.033',
};

test.each([
  [{ ok: true, findings: [] }, 'adds up; 4.93 reserved, 0.033 available'],
  [
    { ok: false, findings: [{}, {}] },
    'does NOT add up (2 findings in audit, below); 4.93 reserved',
  ],
])('where the money of an account went, and whether the books agree', (audit, told) => {
  const line = describeMoney({ balance, audit });
  expect(line).toContain('5.00 in - 0.037 used = 4.963, ');
  expect(line).toContain(told);
});
