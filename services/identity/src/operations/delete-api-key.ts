import { createId } from '@tollgate/core';
import type { Actor } from '../domain/actor';
import { revokeKey } from '../domain/api-key';
import { giveBackPlace } from './account-quota';
import { changeRecord } from './change-record';
import type { Dependencies } from './dependencies';
import { loadKey } from './load-key';

/** Revokes the key: when this resolves, every connected gateway is being told. */
export function createDeleteApiKey(
  deps: Pick<Dependencies, 'clock' | 'keys' | 'quotas' | 'relay'>,
) {
  const { clock, keys, relay } = deps;
  return async (input: { readonly actor: Actor; readonly keyId: string }): Promise<void> => {
    const { actor, keyId } = input;
    const revoked = await changeRecord({
      load: () => loadKey(keys, actor, keyId),
      change: (key) => revokeKey(key, { id: createId('event'), at: clock.now(), actor }),
      write: keys.update,
    });
    await relay.announceKey(revoked);
    await giveBackPlace(deps, 'api-keys', actor.accountId);
  };
}
