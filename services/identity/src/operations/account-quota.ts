import { AppError } from '@tollgate/core';
import type { Dependencies } from './dependencies';

/** What an account has a bounded number of. */
export type QuotaKind = 'api-keys' | 'users';

export interface AccountQuota {
  readonly kind: QuotaKind;
  readonly accountId: string;
  readonly placesMax: number;
  /** What the account has, counted up to `placesMax`. */
  countFilled(): Promise<number>;
  /** What the caller hears when there is no place. */
  readonly refusal: string;
}

type QuotaDependencies = Pick<Dependencies, 'clock' | 'quotas'>;

/**
 * Makes something in a place of the account's quota. What took no place (imported keys) is counted
 * as well, so that what is bounded is what the account has.
 */
export async function withinQuota<Made>(
  { clock, quotas }: QuotaDependencies,
  { kind, accountId, placesMax, countFilled, refusal }: AccountQuota,
  make: () => Promise<Made>,
): Promise<Made> {
  const name = nameOf(kind, accountId);
  const isFree =
    (await countFilled()) < placesMax &&
    (await quotas.take({ name, placesMax, now: clock.now(), countFilled }));
  if (!isFree) throw new AppError('CONFLICT', { publicMessage: refusal });
  try {
    return await make();
  } catch (error) {
    await quotas.giveBack(name, clock.now());
    throw error;
  }
}

/** Makes room for another. */
export function giveBackPlace(
  { clock, quotas }: QuotaDependencies,
  kind: QuotaKind,
  accountId: string,
): Promise<void> {
  return quotas.giveBack(nameOf(kind, accountId), clock.now());
}

/** A place among the keys of the account. */
export function keyQuota(
  { keys, keysPerAccountMax: placesMax }: Pick<Dependencies, 'keys' | 'keysPerAccountMax'>,
  accountId: string,
): AccountQuota {
  return {
    kind: 'api-keys',
    accountId,
    placesMax,
    countFilled: () => keys.countLive(accountId, placesMax),
    refusal: `An account has at most ${placesMax} API keys. Delete one that is not used.`,
  };
}

/** A place among the people of the account. */
export function userQuota(
  { users, usersPerAccountMax: placesMax }: Pick<Dependencies, 'users' | 'usersPerAccountMax'>,
  accountId: string,
): AccountQuota {
  return {
    kind: 'users',
    accountId,
    placesMax,
    countFilled: () => users.countOf(accountId, placesMax),
    refusal: `An account has at most ${placesMax} members. Remove one who has left.`,
  };
}

function nameOf(kind: QuotaKind, accountId: string): string {
  return `${kind} ${accountId}`;
}
