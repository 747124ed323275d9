import { isSettlingGivenUp, settlingIn } from './requests';

const tried = (data: unknown, dataUpdateCount: number, errorUpdateCount = 0) => ({
  data,
  dataUpdateCount,
  errorUpdateCount,
});

test('a charge is waited for a while, and not for ever', () => {
  expect(settlingIn(tried(undefined, 0))).toBe(1_000);
  expect(settlingIn(tried(null, 29))).toBe(1_000);
  expect(settlingIn(tried(null, 20, 10))).toBe(false);
  expect(isSettlingGivenUp(tried(null, 20, 10))).toBe(true);
});

test('a charge that is known is asked for no more, and is not given up', () => {
  expect(settlingIn(tried({ id: 'req_1' }, 31))).toBe(false);
  expect(isSettlingGivenUp(tried({ id: 'req_1' }, 31))).toBe(false);
});
