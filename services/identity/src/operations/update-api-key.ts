import { createId } from '@tollgate/core';
import { requireGranted } from '../domain/account';
import type { Actor } from '../domain/actor';
import { type ApiKeyView, changeSettings, viewOf } from '../domain/api-key';
import { applySettings, changedFields, type KeySettingsInput } from '../domain/key-settings';
import { requireChangeable } from '../domain/rights';
import { changeRecord } from './change-record';
import type { Dependencies } from './dependencies';
import { loadHolder, loadKey } from './load-key';

export interface UpdateApiKeyInput {
  readonly actor: Actor;
  readonly keyId: string;
  readonly settings: KeySettingsInput;
}

export function createUpdateApiKey(
  deps: Pick<Dependencies, 'clock' | 'accounts' | 'keys' | 'relay'>,
) {
  const { clock, keys, relay } = deps;
  return async ({ actor, keyId, settings }: UpdateApiKeyInput): Promise<ApiKeyView> => {
    const now = clock.now();
    const holder = await loadHolder(keys, actor);
    const account =
      settings.pools === undefined ? undefined : await deps.accounts.find(actor.accountId);
    const updated = await changeRecord({
      load: () => loadKey(keys, actor, keyId),
      change(key) {
        const next = applySettings(key.settings, settings, now);
        requireChangeable(holder, key.settings, next);
        const added = next.pools.filter((pool) => !key.settings.pools.includes(pool));
        requireGranted(account, added);
        const fields = changedFields(key.settings, next);
        if (fields.length === 0) return key;
        return changeSettings(key, next, fields, { id: createId('event'), at: now, actor });
      },
      write: keys.update,
    });
    await relay.announceKey(updated);
    return viewOf(updated, now);
  };
}
