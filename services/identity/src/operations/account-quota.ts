import { AppError } from '@tollgate/core';
import type { Dependencies } from './dependencies';

/** A kind of record that an account has a bounded number of. */
export type QuotaKind = 'api-keys' | 'users';

export interface AccountQuota {
  readonly kind: QuotaKind;
  readonly accountId: string;
  readonly max: number;
  /** How many the account has, counted up to `max`. */
  count(): Promise<number>;
  /** The public message when there are as many already. */
  readonly refusal: string;
}

type QuotaDependencies = Pick<Dependencies, 'clock' | 'quotas'>;

/** Makes something that counts against the account's quota. */
export async function withinQuota<Made>(
  { clock, quotas }: QuotaDependencies,
  { kind, accountId, max, count, refusal }: AccountQuota,
  make: () => Promise<Made>,
): Promise<Made> {
  const name = nameOf(kind, accountId);
  const isFree = await quotas.acquire({ name, max, now: clock.now(), count });
  if (!isFree) throw new AppError('CONFLICT', { publicMessage: refusal });
  try {
    return await make();
  } catch (error) {
    await quotas.release(name, clock.now());
    throw error;
  }
}

/** Makes room for another. */
export function releaseQuota(
  { clock, quotas }: QuotaDependencies,
  kind: QuotaKind,
  accountId: string,
): Promise<void> {
  return quotas.release(nameOf(kind, accountId), clock.now());
}

export function keyQuota(
  { keys, keysPerAccountMax: max }: Pick<Dependencies, 'keys' | 'keysPerAccountMax'>,
  accountId: string,
): AccountQuota {
  return {
    kind: 'api-keys',
    accountId,
    max,
    count: () => keys.countPresent(accountId, max),
    refusal: `An account has at most ${max} API keys. Delete one that is not used.`,
  };
}

export function userQuota(
  { users, usersPerAccountMax: max }: Pick<Dependencies, 'users' | 'usersPerAccountMax'>,
  accountId: string,
): AccountQuota {
  return {
    kind: 'users',
    accountId,
    max,
    count: () => users.countOf(accountId, max),
    refusal: `An account has at most ${max} members. Remove one who has left.`,
  };
}

function nameOf(kind: QuotaKind, accountId: string): string {
  return `${kind} ${accountId}`;
}
