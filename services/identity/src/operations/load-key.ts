import { AppError, isId } from '@tollgate/core';
import type { Actor } from '../domain/actor';
import { type ApiKey, maySee } from '../domain/api-key';
import type { ApiKeyStore } from '../domain/ports';

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
