import { HOUR_MS } from '@tollgate/core';
import * as fc from 'fast-check';
import type { DenialCount } from './denial';
import { addDenial, NO_RECENT_DENIALS, type RecentDenials } from './sustained-denials';

const RULE = { windowsNeeded: 3, quietMs: HOUR_MS };
const newEventId = () => 'evt_1';

function denial(atSeconds: number, over: Partial<DenialCount> = {}): DenialCount {
  return {
    id: `den_${atSeconds}`,
    accountId: 'acc_1',
    keyId: null,
    reason: 'rpm',
    isLimit: true,
    count: 2,
    atMs: atSeconds * 1000,
    windowMs: 10_000,
    ...over,
  };
}

const recentOf = (denials: readonly DenialCount[], recent: RecentDenials = NO_RECENT_DENIALS) =>
  denials.reduce((present, one) => addDenial(present, one, RULE, newEventId), recent);

test('denials in three of four successive windows are sustained, in fewer they are not', () => {
  expect(recentOf([denial(0), denial(10)]).report).toBeNull();
  expect(recentOf([denial(0), denial(10), denial(20)]).report).toMatchObject({
    count: 6,
    atMs: 30_000,
  });
  expect(
    recentOf([denial(0), denial(9.9, { id: 'x' }), denial(20), denial(30)]).report,
  ).toMatchObject({ count: 8 });
  expect(recentOf([denial(0), denial(10), denial(40), denial(70)]).report).toBeNull();
});

test('denials that come again, in any order, count once', () => {
  const all = [denial(0), denial(10), denial(20), denial(10), denial(0), denial(20)];
  fc.assert(
    fc.property(fc.shuffledSubarray(all, { minLength: 6, maxLength: 6 }), (shuffled) => {
      expect(recentOf(shuffled).report).toMatchObject({ count: 6 });
    }),
  );
});

test('a report is made at most once an hour, and only after the last one was told', () => {
  const first = recentOf([denial(0), denial(10), denial(20), denial(30)]);
  expect(first.report).toMatchObject({ count: 6 });
  const told = { ...first, report: null };
  expect(recentOf([denial(40), denial(50), denial(60)], told).report).toBeNull();
  const later = [3600, 3610, 3620].map((seconds) => denial(seconds));
  expect(recentOf(later, told).report).toMatchObject({ count: 6 });
});
