import { AppError, isId } from '@tollgate/core';
import type { Actor } from '../domain/actor';
import { type ApiKey, maySee } from '../domain/api-key';
import type { ApiKeyStore } from '../domain/ports';
import { type Holder, rightsOfKey, rightsOfPerson } from '../domain/rights';

/** The key, when the actor may know that it exists; otherwise undefined, whatever the reason. */
export async function loadKey(
  keys: ApiKeyStore,
  actor: Actor,
  keyId: string,
): Promise<ApiKey | undefined> {
  if (!isId('apiKey', keyId)) return undefined;
  const key = await keys.find(keyId);
  return key !== undefined && maySee(actor, key) ? key : undefined;
}

/** As `loadKey`, but refuses. */
export async function requireKey(keys: ApiKeyStore, actor: Actor, keyId: string): Promise<ApiKey> {
  const key = await loadKey(keys, actor, keyId);
  if (key === undefined) throw new AppError('NOT_FOUND');
  return key;
}

/** What the actor may hand on. Its own key is read anew: what a gateway remembers may be old. */
export async function loadHolder(keys: ApiKeyStore, actor: Actor): Promise<Holder> {
  const { keyId } = actor;
  if (keyId === undefined) return { rights: rightsOfPerson(actor), keyId };
  const key = await keys.find(keyId);
  if (key === undefined || key.revokedAt !== undefined || key.accountId !== actor.accountId) {
    throw new AppError('UNAUTHORIZED');
  }
  return { rights: rightsOfKey(key.settings, actor), keyId };
}
