import { AppError } from '@tollgate/core';
import type { Dependencies } from './dependencies';

type KeyQuotaDependencies = Pick<Dependencies, 'clock' | 'keys' | 'quotas'>;

/**
 * Makes a key in a place of its account's quota. Keys that took no place (imported ones) are
 * counted as well, so that what is bounded is what the account has.
 */
export async function withinKeyQuota(
  deps: KeyQuotaDependencies & Pick<Dependencies, 'keysPerAccountMax'>,
  accountId: string,
  make: () => Promise<void>,
): Promise<void> {
  const { clock, keys, quotas, keysPerAccountMax: placesMax } = deps;
  const countFilled = () => keys.countLive(accountId, placesMax);
  const name = nameOf(accountId);
  const isFree =
    (await countFilled()) < placesMax &&
    (await quotas.take({ name, placesMax, now: clock.now(), countFilled }));
  if (!isFree) {
    throw new AppError('CONFLICT', {
      publicMessage: `An account has at most ${placesMax} API keys. Delete one that is not used.`,
    });
  }
  try {
    await make();
  } catch (error) {
    await quotas.giveBack(name, clock.now());
    throw error;
  }
}

/** Makes room for another key. */
export function giveBackKeyPlace(
  { clock, quotas }: Omit<KeyQuotaDependencies, 'keys'>,
  accountId: string,
): Promise<void> {
  return quotas.giveBack(nameOf(accountId), clock.now());
}

function nameOf(accountId: string): string {
  return `api-keys ${accountId}`;
}
