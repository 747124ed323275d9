import { AppError, createId } from '@tollgate/core';
import type { Idempotency } from '@tollgate/idempotency';
import { requireGranted } from '../domain/account';
import type { Actor } from '../domain/actor';
import { type ApiKeyView, createKey, viewOf } from '../domain/api-key';
import { invalid } from '../domain/invalid';
import { createKeyText, createPublicId, previewOf } from '../domain/key-codec';
import {
  applySettings,
  defaultKeySettings,
  type KeySettings,
  type KeySettingsInput,
} from '../domain/key-settings';
import { type Holder, inheritedSettings, requireCreatable } from '../domain/rights';
import { keyQuota, withinQuota } from './account-quota';
import type { Dependencies } from './dependencies';
import { loadHolder } from './load-key';
import { runIdempotently } from './run-idempotently';

export interface CreateApiKeyInput {
  readonly actor: Actor;
  readonly settings: KeySettingsInput;
  readonly idempotency: Idempotency;
}

/** A key, and its text when it was made by this very request. */
export interface IssuedKey {
  readonly key: ApiKeyView;
  /** Empty when the answer is a replay: a secret is shown once. */
  readonly secret: string;
  readonly replayed: boolean;
}

export function createCreateApiKey(
  deps: Pick<
    Dependencies,
    | 'clock'
    | 'logger'
    | 'random'
    | 'digester'
    | 'accounts'
    | 'keys'
    | 'quotas'
    | 'relay'
    | 'idempotency'
    | 'keysPerAccountMax'
  >,
) {
  const { clock, random, digester, accounts, keys, relay } = deps;

  return async (input: CreateApiKeyInput): Promise<IssuedKey> => {
    const { actor } = input;
    const now = clock.now();
    let secret = '';
    const { answer, replayed } = await runIdempotently<ApiKeyView>(deps, {
      scope: actor.accountId,
      operation: 'create-api-key',
      idempotency: input.idempotency,
      newEffectId: () => createId('apiKey'),
      async effect(id) {
        // Checked here: an expiry that was to come at the first request may be over at the next.
        const holder = await loadHolder(keys, actor);
        const settings = completeSettings(holder, input.settings, now);
        if (input.settings.pools !== undefined) {
          requireGranted(await accounts.find(actor.accountId), settings.pools);
        }
        const publicId = createPublicId(random);
        secret = createKeyText(publicId, random);
        const key = createKey(
          {
            id,
            accountId: actor.accountId,
            settings,
            preview: previewOf(publicId),
            publicId,
            digest: digester.digest(secret),
            // A key issued before v1 has no maker whose role a key that it makes could have.
            ...(actor.userId === '' ? {} : { createdBy: actor.userId }),
          },
          { id: createId('event'), at: now, actor },
        );
        await withinQuota(deps, keyQuota(deps, actor.accountId), async () => {
          if ((await keys.insert(key)) === 'exists') throw new AppError('CONFLICT');
        });
        await relay.announceKey(key);
        return viewOf(key, now);
      },
      async recall(id) {
        const key = await keys.find(id);
        return key && viewOf(key, now);
      },
    });
    // A key that may do less than the first request's must not see what that one made.
    if (replayed) requireCreatable(await loadHolder(keys, actor), answer);
    return { key: answer, secret: replayed ? '' : secret, replayed };
  };
}

function completeSettings(holder: Holder, asked: KeySettingsInput, now: number): KeySettings {
  if (asked.name === undefined) throw invalid('name', 'name is required.');
  const inherited = inheritedSettings(defaultKeySettings(), holder);
  const settings = applySettings(inherited, asked, now);
  requireCreatable(holder, settings);
  return settings;
}
