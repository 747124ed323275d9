import { AppError } from '@tollgate/core';
import { type Actor, type Role, requireOperator } from '../domain/actor';
import {
  type ApiKey,
  LEGACY_KEY_ROLE,
  maySee,
  requireNotDisabledByOperator,
} from '../domain/api-key';
import { listNearPublicIds } from '../domain/key-codec';
import { type Grantor, requireShowable, rightsOfKey, rightsOfPerson } from '../domain/rights';
import type { Dependencies } from './dependencies';
import { findById } from './lookups';

export interface KeyReference {
  readonly actor: Actor;
  readonly keyId: string;
}

/** The key, when the actor may know that it exists; otherwise undefined, whatever the reason. */
export async function findVisibleKey(
  { keys }: Pick<Dependencies, 'keys'>,
  actor: Actor,
  keyId: string,
): Promise<ApiKey | undefined> {
  const key = await findById('apiKey', keys, keyId);
  return key !== undefined && maySee(actor, key) ? key : undefined;
}

export interface NamedKeyReference extends KeyReference {
  /** Takes the place of the id when it is not empty; for operators. */
  readonly publicId?: string;
}

/** By its id, or by the public part of its text, as somebody mistyped it or cut it. */
export async function requireNamedKey(
  deps: Pick<Dependencies, 'keys'>,
  { actor, keyId, publicId = '' }: NamedKeyReference,
): Promise<ApiKey> {
  if (publicId === '') return requireKey(deps, actor, keyId);
  requireOperator(actor);
  const key =
    (await deps.keys.findByPublicId(publicId)) ??
    (await deps.keys.findLike(publicId, listNearPublicIds(publicId)));
  if (key === undefined) throw new AppError('NOT_FOUND');
  return key;
}

/** The key, when the actor may know that it exists; otherwise NOT_FOUND, whatever the reason. */
export async function requireKey(
  deps: Pick<Dependencies, 'keys'>,
  actor: Actor,
  keyId: string,
): Promise<ApiKey> {
  const key = await findVisibleKey(deps, actor, keyId);
  if (key === undefined) throw new AppError('NOT_FOUND');
  return key;
}

/** The actor with what it may hand on. Its own key is read anew: a gateway's copy may be old. */
export async function loadGrantor(
  { keys }: Pick<Dependencies, 'keys'>,
  actor: Actor,
): Promise<Grantor> {
  const { keyId } = actor;
  if (keyId === undefined) return { rights: rightsOfPerson(actor), keyId };
  const key = await keys.find(keyId);
  if (key === undefined || key.revokedAt !== undefined || key.accountId !== actor.accountId) {
    throw new AppError('UNAUTHORIZED');
  }
  return { rights: rightsOfKey(key.settings, actor), keyId };
}

/**
 * The role with which the key acts: its maker's, the least where the maker is gone, and that of
 * before where a version kept no maker.
 */
export async function loadKeyRole(
  { users }: Pick<Dependencies, 'users'>,
  { createdBy }: ApiKey,
): Promise<Role> {
  if (createdBy === undefined) return LEGACY_KEY_ROLE;
  return (await users.find(createdBy))?.role ?? 'member';
}

/**
 * Refuses to rotate a key that may do more than the actor: the new secret is as strong as the key,
 * and is shown to the actor. Checks the present key at once, and answers the check for later.
 */
export async function createRotationCheck(
  deps: Pick<Dependencies, 'users' | 'keys'>,
  actor: Actor,
  keyId: string,
): Promise<(key: ApiKey) => void> {
  const present = await requireKey(deps, actor, keyId);
  const grantor = await loadGrantor(deps, actor);
  const role = await loadKeyRole(deps, present);
  const check = (key: ApiKey) => {
    requireShowable(grantor, { ...key.settings, role }, keyId);
    requireNotDisabledByOperator(key);
  };
  check(present);
  return check;
}
