import {
  dailySpendOf,
  describeHelp,
  describeNote,
  describeOutlook,
  splitCredits,
  startOfPace,
  stateOfBalance,
} from './describe-balance';

test.each([
  ['10.00', '1.00', '10 days at the pace of the last two days'],
  ['0.489', '0.0108', '45 days at the pace of the last two days'],
  ['1.99', '1.00', '1 day at the pace of the last two days'],
  ['0.50', '1.00', 'Less than a day at the pace of the last two days'],
  ['10000.00', '1.00', 'More than a year at the pace of the last two days'],
  ['10.00', '0.00', 'Nothing was spent in the last two days'],
  ['0.00', '1.00', 'Used up: requests are refused'],
  ['-0.01', '1.00', 'Used up: requests are refused'],
])('%s where a day costs %s: %s', (available, daily, said) => {
  expect(describeOutlook({ available, total_credits: '20.00' }, daily)).toBe(said);
});

test('what was spent since yesterday is told as what a day costs, at every time of the day', () => {
  const midnight = Date.parse('2026-11-24T00:00:00Z');
  const noon = Date.parse('2026-11-24T12:00:00Z');
  expect(startOfPace(noon)).toBe('2026-11-23T00:00:00.000Z');
  const spent = { sinceStart: '3.00', createdAt: '2026-11-01T00:00:00Z' };
  expect(dailySpendOf(spent, midnight)).toBe('3.00');
  expect(dailySpendOf(spent, noon)).toBe('2.00');
  // One that is six hours old did not spend nothing yesterday: it was not there.
  const fresh = { sinceStart: '3.00', createdAt: '2026-11-24T06:00:00Z' };
  expect(dailySpendOf(fresh, noon)).toBe('2.40');
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

test('members are told to ask those who may redeem a code or change what is spent', () => {
  for (const state of ['never credited', 'used up', 'stopped'] as const) {
    expect(describeHelp(state, false)).toMatch(/owner or admin/);
    expect(describeHelp(state, false)).not.toMatch(/[Rr]edeem|Billing|whoever runs/);
    expect(describeHelp(state, true)).toMatch(/whoever runs this service/);
  }
});

const month = (credits: string, adjustments: string) => ({ credits, adjustments });

test('what was adjusted is no credit, and both are what came in', () => {
  const months = [month('5.00', '0.00'), month('0.00', '-1.50')];
  expect(splitCredits({ total_credits: '3.50' }, months)).toEqual({
    credited: '5.00',
    adjusted: '-1.50',
  });
  expect(splitCredits({ total_credits: '102.50' }, [month('5.00', '97.50')])).toEqual({
    credited: '5.00',
    adjusted: '97.50',
  });
});

test('nothing is told apart by months that are not all of them', () => {
  expect(splitCredits({ total_credits: '9.00' }, [month('5.00', '0.00')])).toBeUndefined();
  expect(splitCredits({ total_credits: '0.00' }, [])).toEqual({
    credited: '0.00',
    adjusted: '0.00',
  });
});

test('of a redeemed code its account reads the note, not the id', () => {
  const id = 'cod_01J00000000000000000000001';
  expect(describeNote({ note: `Code ${id}: Fair in Lisbon` })).toBe(
    'Redeemed code: Fair in Lisbon',
  );
  expect(describeNote({ note: `Code ${id}` })).toBe('Redeemed code');
  expect(describeNote({ note: 'Invoice 7', reason: 'other' })).toBe('Invoice 7');
  expect(describeNote({ note: '', reason: 'Goodwill' })).toBe('Goodwill');
});
