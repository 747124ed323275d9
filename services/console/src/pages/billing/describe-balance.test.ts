import { describeOutlook, stateOfBalance } from './describe-balance';

test.each([
  ['10.00', '7.00', "10 days at this week's pace"],
  ['1.99', '7.00', "1 day at this week's pace"],
  ['0.50', '7.00', "Less than a day at this week's pace"],
  ['10000.00', '7.00', "More than a year at this week's pace"],
  ['10.00', '0.00', 'Nothing was spent this week'],
  ['0.00', '7.00', 'Used up: requests are refused'],
  ['-0.01', '7.00', 'Used up: requests are refused'],
])('%s with %s a week: %s', (available, spent, said) => {
  expect(describeOutlook({ available, total_credits: '20.00' }, spent)).toBe(said);
});

test('what the account set itself keeps its balance from being spent, and is said', () => {
  const balance = { available: '4.98', total_credits: '20.00', currency: 'USD' };
  const spending = { suspend_below: '6.00', suspended: true };
  expect(describeOutlook({ ...balance, spending }, '0.01')).toBe(
    'Spends nothing below $6.00, as it set itself: requests are refused',
  );
  const above = { suspend_below: '1.00', suspended: false };
  expect(stateOfBalance({ ...balance, spending: above })).toBe('there');
});

test('a balance that is held as a whole between two requests is not used up', () => {
  const held = { available: '0.00', reserved: '4.98', total_credits: '20.00' };
  expect(stateOfBalance(held)).toBe('held');
  expect(describeOutlook(held, '0.01')).not.toContain('refused');
});

test('who never had credit has not used it up', () => {
  const state = (available: string, total_credits: string) =>
    stateOfBalance({ available, total_credits });
  expect(describeOutlook({ available: '0.00', total_credits: '0.00' }, '0.00')).toBe(
    'No credit yet',
  );
  expect(state('0.00', '0.00')).toBe('never credited');
  expect(state('0.00', '5.00')).toBe('used up');
  expect(state('0.01', '0.00')).toBe('there');
});
