import { createId } from '@tollgate/core';
import type { Actor } from '../domain/actor';
import { revokeKey } from '../domain/api-key';
import type { User } from '../domain/user';
import { giveBackPlace } from './account-quota';
import { changeRecord } from './change-record';
import type { Dependencies } from './dependencies';

const BATCH = 100;

/** Revokes every key that the user made: who leaves must not stay behind as a key. */
export async function revokeKeysOfUser(
  deps: Pick<Dependencies, 'clock' | 'keys' | 'quotas' | 'relay'>,
  user: Pick<User, 'id' | 'accountId'>,
  actor: Pick<Actor, 'userId' | 'keyId'> | undefined,
): Promise<void> {
  const { clock, keys, relay } = deps;
  const filter = { accountId: user.accountId, createdBy: user.id };
  for (;;) {
    const batch = await keys.list({ ...filter, window: { limit: BATCH, beforeId: undefined } });
    if (batch.length === 0) return;
    for (const { id } of batch) {
      const revoked = await changeRecord({
        load: () => keys.find(id),
        change: (key) =>
          key.revokedAt === undefined
            ? revokeKey(key, { id: createId('event'), at: clock.now(), actor })
            : key,
        write: keys.update,
      });
      await relay.announceKey(revoked);
      await giveBackPlace(deps, 'api-keys', user.accountId);
    }
  }
}
