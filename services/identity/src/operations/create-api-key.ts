import { AppError, createId } from '@tollgate/core';
import type { Idempotency } from '@tollgate/idempotency';
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
import { DEFAULT_SCOPES, grantableScopes, requireGrantable } from '../domain/scopes';
import type { Dependencies } from './dependencies';
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
    | 'keys'
    | 'relay'
    | 'idempotency'
    | 'keysPerAccountMax'
  >,
) {
  const { clock, random, digester, keys, relay, keysPerAccountMax } = deps;

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
        const settings = completeSettings(actor, input.settings, now);
        const live = await keys.countLive(actor.accountId, keysPerAccountMax);
        if (live >= keysPerAccountMax) throw tooManyKeys(keysPerAccountMax);
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
            createdBy: actor.userId,
          },
          { id: createId('event'), at: now, actor },
        );
        if ((await keys.insert(key)) === 'exists') throw new AppError('CONFLICT');
        await relay.announceKey(key);
        return viewOf(key, now);
      },
      async recall(id) {
        const key = await keys.find(id);
        return key && viewOf(key, now);
      },
    });
    // A key that may do less than the first request's must not see what that one made.
    if (replayed) requireGrantable(actor, answer.scopes);
    return { key: answer, secret: replayed ? '' : secret, replayed };
  };
}

function completeSettings(actor: Actor, asked: KeySettingsInput, now: number): KeySettings {
  if (asked.name === undefined) throw invalid('name', 'name is required.');
  const grantable = grantableScopes(actor);
  const scopes = DEFAULT_SCOPES.filter((scope) => grantable.includes(scope));
  const settings = applySettings(defaultKeySettings(scopes), asked, now);
  requireGrantable(actor, settings.scopes);
  return settings;
}

function tooManyKeys(max: number): AppError {
  return new AppError('CONFLICT', {
    publicMessage: `An account has at most ${max} API keys. Delete one that is not used.`,
  });
}
