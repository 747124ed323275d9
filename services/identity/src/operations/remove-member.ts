import { AppError, isId } from '@tollgate/core';
import { type Actor, requireManager } from '../domain/actor';
import { isOwner } from '../domain/user';
import { giveBackPlace } from './account-quota';
import type { Dependencies } from './dependencies';
import { revokeKeysOfUser } from './revoke-keys-of-user';

export interface RemoveMemberInput {
  readonly actor: Actor;
  readonly userId: string;
}

/** Removes a person from the own account, with the sessions and keys of that person. */
export function createRemoveMember(
  deps: Pick<
    Dependencies,
    'clock' | 'logger' | 'users' | 'sessions' | 'keys' | 'quotas' | 'relay' | 'principals'
  >,
) {
  const { clock, logger, users, sessions, principals } = deps;
  return async ({ actor, userId }: RemoveMemberInput): Promise<void> => {
    const user = isId('user', userId) ? await users.find(userId) : undefined;
    if (user === undefined || user.accountId !== actor.accountId) throw new AppError('NOT_FOUND');
    requireManager(actor);
    if (isOwner(user)) {
      if (actor.role === 'admin') throw new AppError('FORBIDDEN');
      const owners = await users.listOwners(actor.accountId, 2);
      if (owners.length < 2) {
        throw new AppError('CONFLICT', {
          publicMessage: 'The last owner of an account cannot be removed.',
        });
      }
    }
    // The record goes last: an interrupted removal is repeated, and nothing survives it.
    await sessions.endAll(user.id, clock.now());
    await revokeKeysOfUser(deps, user, actor);
    await users.remove(user.id);
    await giveBackPlace(deps, 'users', user.accountId);
    // An access token may be out: gateways that remember its user look again.
    await principals.append([user.accountId]).catch((error: unknown) => {
      logger.warn({ error, userId }, 'gateways could not be told that a member is gone');
    });
  };
}
