import { createId } from '@tollgate/core';
import type { Idempotency } from '@tollgate/idempotency';
import type { Actor } from '../domain/actor';
import {
  type ApiKey,
  type ApiKeyView,
  IMPORTED_KEY_ROLE,
  rotateKey,
  viewOf,
} from '../domain/api-key';
import { invalid } from '../domain/invalid';
import { createKeyText, createPublicId, previewOf } from '../domain/key-codec';
import { requireShowable } from '../domain/rights';
import type { Role } from '../domain/role';
import { changeRecord } from './change-record';
import type { IssuedKey } from './create-api-key';
import type { Dependencies } from './dependencies';
import { loadHolder, loadKey, requireKey } from './load-key';
import { runIdempotently } from './run-idempotently';

export interface RotateApiKeyInput {
  readonly actor: Actor;
  readonly keyId: string;
  readonly gracePeriodS: number;
  readonly idempotency: Idempotency;
}

const GRACE_PERIOD_S_MAX = 7 * 24 * 60 * 60;

/** Gives the key a new secret; the old one keeps working for the grace period. */
export function createRotateApiKey(
  deps: Pick<
    Dependencies,
    'clock' | 'logger' | 'random' | 'digester' | 'users' | 'keys' | 'relay' | 'idempotency'
  >,
) {
  const { clock, random, digester, users, keys, relay } = deps;

  const rotate = (key: ApiKey, secret: string, publicId: string, rotation: Rotation): ApiKey =>
    rotateKey(
      key,
      {
        rotationId: rotation.id,
        publicId,
        preview: previewOf(publicId),
        digest: digester.digest(secret),
        gracePeriodMs: rotation.gracePeriodMs,
      },
      { id: createId('event'), at: rotation.at, actor: rotation.actor },
    );

  /** The role that the key acts with; a key whose maker is gone acts for nobody. */
  const roleOf = async ({ createdBy }: ApiKey): Promise<Role> =>
    createdBy === undefined ? IMPORTED_KEY_ROLE : ((await users.find(createdBy))?.role ?? 'member');

  return async (input: RotateApiKeyInput): Promise<IssuedKey> => {
    const { actor, keyId, gracePeriodS } = input;
    if (gracePeriodS > GRACE_PERIOD_S_MAX) {
      const range = `from 0 to ${GRACE_PERIOD_S_MAX}`;
      throw invalid('grace_period_seconds', `grace_period_seconds must be ${range}.`);
    }
    const present = await requireKey(keys, actor, keyId);
    const holder = await loadHolder(keys, actor);
    const role = await roleOf(present);
    // The new secret is as strong as the key: nobody may take rights by rotating.
    const requireRight = ({ settings }: ApiKey) =>
      requireShowable(holder, { ...settings, role }, keyId);
    requireRight(present);
    const at = clock.now();
    let secret = '';
    const { answer, replayed } = await runIdempotently<ApiKeyView>(deps, {
      scope: actor.accountId,
      operation: `rotate-api-key ${keyId}`,
      idempotency: input.idempotency,
      newEffectId: () => createId('event'),
      async effect(id) {
        const rotated = await changeRecord({
          load: () => loadKey(keys, actor, keyId),
          change(key) {
            requireRight(key);
            const publicId = key.publicId ?? createPublicId(random);
            secret = createKeyText(publicId, random);
            const gracePeriodMs = gracePeriodS * 1000;
            return rotate(key, secret, publicId, { id, at, actor, gracePeriodMs });
          },
          write: keys.update,
        });
        await relay.announceKey(rotated);
        return viewOf(rotated, at);
      },
      async recall(id) {
        const key = await loadKey(keys, actor, keyId);
        return key?.lastRotationId === id ? viewOf(key, at) : undefined;
      },
    });
    return { key: answer, secret: replayed ? '' : secret, replayed };
  };
}

interface Rotation {
  readonly id: string;
  readonly at: number;
  readonly actor: Actor;
  readonly gracePeriodMs: number;
}
