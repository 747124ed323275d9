import { drainOutcome } from './spool';

const outcomeOf = (left: number, neverGranted: number) =>
  drainOutcome('/spool', { settled: 4, left, neverGranted }, false);

test('a spool of which nothing is left may be deleted', () => {
  expect(outcomeOf(0, 0)).toEqual({
    exitCode: 0,
    message: '4 records settled, none left: /spool may be deleted\n',
  });
});

test('records that billing did not settle in time are tried again', () => {
  const { exitCode, message } = outcomeOf(3, 0);
  expect([exitCode, message]).toEqual([
    3,
    '4 records settled, 3 left: keep /spool and try again\n',
  ]);
  expect(outcomeOf(3, 2).exitCode).toBe(3);
  expect(outcomeOf(3, 2).message).toContain('2 of leases that billing never granted');
});

test('only records of leases that billing never granted are nothing to try again for', () => {
  const { exitCode, message } = outcomeOf(2, 2);
  expect(exitCode).toBe(1);
  expect(message).toContain(
    '2 left: 2 of leases that billing never granted: look for their dead letters',
  );
});
