import { createId } from '@tollgate/core';
import type { Idempotency } from '@tollgate/idempotency';
import { type Account, DEFAULT_PLAN, parseName, parsePlan } from '../domain/account';
import { type Actor, requireOperator } from '../domain/actor';
import type { User } from '../domain/user';
import type { Dependencies } from './dependencies';
import { makeAccount, ownerIdOf } from './make-account';
import { type NewPerson, prepareUser } from './make-user';
import { runIdempotently } from './run-idempotently';
import { withoutSecrets } from './without-secrets';

export interface CreateAccountInput {
  readonly actor: Actor;
  readonly name: string;
  /** Empty means the default plan. */
  readonly plan: string;
  readonly owner: NewPerson;
  readonly idempotency: Idempotency;
}

export interface CreatedAccount {
  readonly account: Account;
  readonly owner: User;
  readonly replayed: boolean;
}

/** An operator opens an account together with its owner. */
export function createCreateAccount(
  deps: Pick<
    Dependencies,
    'clock' | 'logger' | 'accounts' | 'users' | 'hasher' | 'digester' | 'idempotency'
  >,
) {
  return async (input: CreateAccountInput): Promise<CreatedAccount> => {
    requireOperator(input.actor);
    const name = parseName('name', input.name);
    const plan = parsePlan(input.plan === '' ? DEFAULT_PLAN : input.plan);
    const { answer, replayed } = await runIdempotently(deps, {
      scope: input.actor.accountId,
      operation: 'create-account',
      idempotency: input.idempotency,
      newEffectId: () => createId('account'),
      async effect(id) {
        const owner = await prepareUser(deps, input.owner, 'owner.');
        const made = await makeAccount(deps, {
          id,
          name,
          plan,
          owner,
          ownerRole: 'owner',
          emailProven: true,
        });
        return { account: made.account, owner: withoutSecrets(made.owner) };
      },
      async recall(id) {
        const account = await deps.accounts.find(id);
        const owner = await deps.users.find(ownerIdOf(id));
        return account && owner && { account, owner: withoutSecrets(owner) };
      },
    });
    return { ...answer, replayed };
  };
}
