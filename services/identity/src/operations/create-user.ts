import { AppError, createId, isId } from '@tollgate/core';
import type { Idempotency } from '@tollgate/idempotency';
import { type Account, DEFAULT_PLAN, parseName } from '../domain/account';
import { type Actor, requireOperator } from '../domain/actor';
import { sha256Hex } from '../domain/key-digest';
import type { Role } from '../domain/role';
import { normaliseEmail, type User } from '../domain/user';
import { userQuota, withinQuota } from './account-quota';
import type { Dependencies } from './dependencies';
import { makeAccount, ownerIdOf } from './make-account';
import { insertUser, type NewPerson, prepareUser } from './make-user';
import { runIdempotently } from './run-idempotently';
import { createAttemptThrottle } from './throttle-attempts';
import { withoutSecrets } from './without-secrets';

export interface CreateUserInput extends NewPerson {
  /** Absent for a registration. */
  readonly actor: Actor | undefined;
  /** Joins an existing account; empty makes a new one. */
  readonly accountId: string;
  /** Absent: member of an existing account, owner of a new one. */
  readonly role: Role | undefined;
  readonly registration: boolean;
  readonly idempotency: Idempotency;
}

export interface CreatedUser {
  readonly user: User;
  readonly account: Account;
  readonly replayed: boolean;
}

type CreateUserDependencies = Pick<
  Dependencies,
  | 'clock'
  | 'logger'
  | 'accounts'
  | 'users'
  | 'quotas'
  | 'usersPerAccountMax'
  | 'attempts'
  | 'hasher'
  | 'digester'
  | 'idempotency'
  | 'registrationOpen'
>;

/** An operator adds a person, or a person registers where configuration allows it. */
export function createCreateUser(deps: CreateUserDependencies) {
  const throttle = createAttemptThrottle(deps);
  return async (input: CreateUserInput): Promise<CreatedUser> => {
    const scope = requireCreator(deps, input);
    if (input.registration && input.idempotency.key !== '') {
      // Its repetition is told from another request by the password too: that is a guess at it.
      await throttle.admitRegistration(normaliseEmail(input.email) ?? '');
    }
    const joins = !input.registration && input.accountId !== '';
    const { answer, replayed } = await runIdempotently(deps, {
      scope,
      operation: 'create-user',
      idempotency: input.idempotency,
      newEffectId: () => (joins ? createId('user') : createId('account')),
      effect: (id) => (joins ? joinAccount(deps, input, id) : openAccount(deps, input, id)),
      async recall(id) {
        const user = await deps.users.find(joins ? id : ownerIdOf(id));
        const account = user && (await deps.accounts.find(user.accountId));
        return user && account && { user: withoutSecrets(user), account };
      },
    });
    return { ...answer, replayed };
  };
}

/** Refuses who may not create users; answers the scope of the caller's idempotency keys. */
function requireCreator(deps: CreateUserDependencies, input: CreateUserInput): string {
  if (!input.registration) {
    if (input.actor === undefined) throw new AppError('UNAUTHORIZED');
    requireOperator(input.actor);
    return input.actor.accountId;
  }
  if (!deps.registrationOpen) {
    throw new AppError('FORBIDDEN', { publicMessage: 'Registration is closed.' });
  }
  // Strangers share no account: whoever registers another address never meets this key.
  return `registration ${sha256Hex(normaliseEmail(input.email) ?? '')}`;
}

async function joinAccount(deps: CreateUserDependencies, input: CreateUserInput, id: string) {
  const { accountId } = input;
  const account = isId('account', accountId) ? await deps.accounts.find(accountId) : undefined;
  if (account === undefined) throw new AppError('NOT_FOUND', { param: 'account_id' });
  const prepared = await prepareUser(deps, input);
  const role = input.role ?? 'member';
  const user = await withinQuota(deps, userQuota(deps, accountId), () =>
    insertUser(deps, prepared, { id, accountId, role, emailProven: true }),
  );
  return { user: withoutSecrets(user), account };
}

async function openAccount(deps: CreateUserDependencies, input: CreateUserInput, id: string) {
  const owner = await prepareUser(deps, input);
  const { account, owner: user } = await makeAccount(deps, {
    id,
    name: parseName('display_name', owner.displayName),
    plan: DEFAULT_PLAN,
    owner,
    ownerRole: !input.registration && input.role === 'operator' ? 'operator' : 'owner',
    // Nobody vouches for the address of a person who registered: only an operator does.
    emailProven: !input.registration,
  });
  return { user: withoutSecrets(user), account };
}
