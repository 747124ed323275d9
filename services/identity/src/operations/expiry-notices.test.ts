import { AppError, DAY_MS } from '@tollgate/core';
import {
  type IdentityFixture,
  leaveUnpublishedKeys,
  startIdentityFixture,
} from '../testing/identity-fixture';
import { notifyExpiringKeys } from './expiry-notices';

/** More than two pages of what the job reads at once. */
const MANY = 250;

let identity: IdentityFixture;

beforeEach(async () => {
  identity = await startIdentityFixture();
});

afterEach(() => identity.close());

const inDays = (days: number) => identity.clock.now() + days * DAY_MS;
const notify = () => notifyExpiringKeys(identity.adapters, new AbortController().signal);

/** Ids of keys in the order in which their notices are recorded; may refuse one of them. */
function watchUpdates(refusedId?: string): readonly string[] {
  const { keys } = identity.adapters;
  const { update } = keys;
  const updated: string[] = [];
  Object.assign(keys, {
    async update(next: Parameters<typeof update>[0]) {
      if (next.id === refusedId) throw new AppError('DATABASE_ERROR', { retryable: false });
      updated.push(next.id);
      return update(next);
    },
  });
  return updated;
}

test('all owners are notified in one round, the soonest expiry first', async () => {
  const [late] = await leaveUnpublishedKeys(identity, 1, inDays(6));
  const same = await leaveUnpublishedKeys(identity, MANY, inDays(5));
  const [soon] = await leaveUnpublishedKeys(identity, 1, inDays(3));
  const updated = watchUpdates();
  expect(await notify()).toBe(MANY + 2);
  expect([updated[0], updated.at(-1)]).toEqual([soon, late]);
  expect(new Set(updated)).toEqual(new Set([soon, ...same, late]));
  expect(await notify()).toBe(0);
});

test('a key whose notice cannot be recorded keeps no other owner waiting', async () => {
  const [refused, ...others] = await leaveUnpublishedKeys(identity, 3, inDays(3));
  const updated = watchUpdates(refused);
  expect(await notify()).toBe(2);
  expect([...updated].sort()).toEqual([...others].sort());
});
