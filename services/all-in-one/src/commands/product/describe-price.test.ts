import { describeChangedPrice, describePaid, newestOfModels } from './describe-price';

const AT = '2026-10-02T22:40:34.000Z';
const prices = { completion: '50.00', cached_prompt: '0.00', cache_write: '100.00' };
const list = {
  ...prices,
  prompt: '200.00',
  discount: '-10.00',
  discount_set: null,
  since: AT,
  changed_by: 'ann@acme.test',
  before: { ...prices, prompt: '100.00' },
};

test('what an account pays beside the list, where it pays another price', () => {
  expect(describePaid({ prompt: '220.00', completion: '55.00' }, list)).toBe(
    '10 % more than the list price: 220.00 in place of 200.00 for a million tokens of the prompt',
  );
  const discount_set = { at: AT, by: 'bob@acme.test' };
  expect(
    describePaid({ prompt: '220.00', completion: '55.00' }, { ...list, discount_set }),
  ).toMatch(/ tokens of the prompt \(2026-10-02T22:40:34\.000Z by bob@acme\.test\)$/);
  expect(describePaid(list, { ...list, discount: '0.00' })).toBeUndefined();
  // An embedding has one price, and a free prompt another.
  const free = { ...list, prompt: '0.00', discount: '50.00' };
  expect(describePaid({ prompt: '0.00', completion: '25.00' }, free)).toContain(
    '50 % less than the list price: 25.00 in place of 50.00 for a million tokens of the answer',
  );
});

test('a changed price is told with the one before it, and who changed it', () => {
  const told = `the price of big changed ${AT} by ann@acme.test: 200.00, before 100.00, for a million tokens of the prompt`;
  expect(describeChangedPrice({ model: 'big', ...list })).toBe(told);
  const completion = { ...list, before: { ...prices, prompt: '200.00', completion: '40.00' } };
  expect(describeChangedPrice({ model: 'big', ...completion, changed_by: null })).toBe(
    `the price of big changed ${AT}: 50.00, before 40.00, for a million tokens of the answer`,
  );
  const both = { ...list, before: { ...prices, prompt: '100.00', completion: '40.00' } };
  expect(describeChangedPrice({ model: 'big', ...both })).toContain(
    ': 200.00, before 100.00, for a million tokens of the prompt, and 50.00, before 40.00, for a ' +
      'million tokens of the answer',
  );
});

test('of each model the newest charge, the model charged last first', () => {
  const charges = ['big', 'small', 'big', 'other', 'big'].map((model, place) => ({ model, place }));
  expect(newestOfModels(charges).map(({ place }) => place)).toEqual([0, 1, 3]);
});
