import { AppError } from '@tollgate/core';
import { retryContended } from './contention';

const failure = () => new AppError('CONFLICT');

test('what others overtook is tried again until it is written', async () => {
  const outcomes = [undefined, undefined, 'written'];
  await expect(retryContended(async () => outcomes.shift(), { failure })).resolves.toBe('written');
  expect(outcomes).toEqual([]);
});

test('whoever is always overtaken gives up after the attempts that were allowed', async () => {
  let made = 0;
  const attempt = async () => {
    made += 1;
    return undefined;
  };
  const contention = { attemptsMax: 3, failure };
  await expect(retryContended(attempt, contention)).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(made).toBe(3);
});
