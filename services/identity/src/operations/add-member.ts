import { createId } from '@tollgate/core';
import type { Idempotency } from '@tollgate/idempotency';
import { type Actor, requireManager } from '../domain/actor';
import type { Role } from '../domain/role';
import { requireAssignable, type User } from '../domain/user';
import { userQuota, withinQuota } from './account-quota';
import type { Dependencies } from './dependencies';
import { insertUser, type NewPerson, prepareUser } from './make-user';
import { runIdempotently } from './run-idempotently';
import { withoutSecrets } from './without-secrets';

export interface AddMemberInput extends NewPerson {
  readonly actor: Actor;
  /** Absent means member. */
  readonly role: Role | undefined;
  readonly idempotency: Idempotency;
}

/** An owner or admin adds a person to the own account. */
export function createAddMember(
  deps: Pick<
    Dependencies,
    | 'clock'
    | 'logger'
    | 'users'
    | 'quotas'
    | 'hasher'
    | 'digester'
    | 'idempotency'
    | 'usersPerAccountMax'
  >,
) {
  return async (
    input: AddMemberInput,
  ): Promise<{ readonly user: User; readonly replayed: boolean }> => {
    const { actor } = input;
    requireManager(actor);
    const role = input.role ?? 'member';
    requireAssignable(actor, role);
    const { answer, replayed } = await runIdempotently<User>(deps, {
      scope: actor.accountId,
      operation: 'add-member',
      idempotency: input.idempotency,
      newEffectId: () => createId('user'),
      async effect(id) {
        const prepared = await prepareUser(deps, input);
        const { accountId } = actor;
        const placement = { id, accountId, role, emailProven: true };
        const insert = () => insertUser(deps, prepared, placement);
        return withoutSecrets(await withinQuota(deps, userQuota(deps, accountId), insert));
      },
      async recall(id) {
        const user = await deps.users.find(id);
        return user && withoutSecrets(user);
      },
    });
    return { user: answer, replayed };
  };
}
