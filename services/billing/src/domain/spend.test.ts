import { NOON, n } from '../testing/fixtures';
import { recentSpend, recordSpend } from './spend';

describe('recent spending', () => {
  const WINDOW_MS = 86_400_000;
  const spent = { startedAtMs: NOON, current: n(700), previous: n(300) };

  it('is not forgotten by a replica whose clock is behind', () => {
    const behind = NOON - 10_000;
    const after = recordSpend(spent, n(5), behind, WINDOW_MS);
    expect(after).toEqual({ ...spent, current: 705n });
    expect(recentSpend(after, WINDOW_MS, behind, WINDOW_MS)).toBe(1_005n);
  });

  it('begins anew after a clock that was far ahead', () => {
    const after = recordSpend(spent, n(5), NOON - WINDOW_MS, WINDOW_MS);
    expect(after).toEqual({ startedAtMs: NOON - WINDOW_MS, current: 5n, previous: 0n });
  });
});
