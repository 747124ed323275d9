import { EMPTY_DRAFT, toBody } from './draft';
import { describeFallback, mergeByModel } from './merge-route';

const candidate = (rank: number, model: string, eligible: boolean, ...reasons: string[]) => ({
  rank,
  model,
  eligible,
  reasons,
  estimated_amount: '0.01',
});

test('who does not see channels sees each model once, and which is asked first', () => {
  const rows = mergeByModel([
    candidate(1, 'small', true, 'priority 5, weight 1'),
    candidate(2, 'small', true, 'priority 10, weight 1'),
    candidate(3, 'large', true, 'priority 10, weight 1'),
  ]);
  expect(rows.map(({ rank, model, reasons }) => [rank, model, reasons])).toEqual([
    [1, 'small', ['asked first', '2 ways to it']],
    [2, 'large', ['asked after']],
  ]);
});

test('of a model that nothing can serve the reasons are told, once each', () => {
  const rows = mergeByModel([
    candidate(1, 'small', false, 'circuit open'),
    candidate(2, 'small', false, 'circuit open'),
  ]);
  expect(rows.map(({ eligible, reasons }) => [eligible, reasons])).toEqual([
    [false, ['circuit open']],
  ]);
});

test('an answer of another model than the first is explained, and no other', () => {
  const candidates = [
    candidate(1, 'gone', false, 'circuit open'),
    candidate(2, 'large', true),
    candidate(3, 'small', true),
  ];
  const request = toBody({ ...EMPTY_DRAFT, prompt: 'Hello' });
  const describe = (model: string | undefined, asked = request) =>
    describeFallback({ request, candidates }, { asked, model });
  expect(describe('small')).toMatch(/is of small, though large is asked first/);
  expect(describe('large')).toBeUndefined();
  expect(describe('elsewhere')).toBeUndefined();
  expect(describe(undefined)).toBeUndefined();
  expect(describeFallback({ request, candidates }, undefined)).toBeUndefined();
  // Another model was chosen since, and the answer is of that one: it says nothing of this route.
  expect(describe('small', { ...request, model: 'small' })).toBeUndefined();
});
