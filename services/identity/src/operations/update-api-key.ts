import { createId } from '@tollgate/core';
import type { Actor } from '../domain/actor';
import { type ApiKeyView, changeSettings, viewOf } from '../domain/api-key';
import { applySettings, changedFields, type KeySettingsInput } from '../domain/key-settings';
import { requireGrantable } from '../domain/scopes';
import { changeRecord } from './change-record';
import type { Dependencies } from './dependencies';
import { loadKey } from './load-key';

export interface UpdateApiKeyInput {
  readonly actor: Actor;
  readonly keyId: string;
  readonly settings: KeySettingsInput;
}

export function createUpdateApiKey(deps: Pick<Dependencies, 'clock' | 'keys' | 'relay'>) {
  const { clock, keys, relay } = deps;
  return async ({ actor, keyId, settings }: UpdateApiKeyInput): Promise<ApiKeyView> => {
    const now = clock.now();
    const updated = await changeRecord({
      load: () => loadKey(keys, actor, keyId),
      change(key) {
        const next = applySettings(key.settings, settings, now);
        // Scopes that the key already has may stay, whoever edits its name.
        const added = next.scopes.filter((scope) => !key.settings.scopes.includes(scope));
        requireGrantable(actor, added);
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
