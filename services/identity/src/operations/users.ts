import {
  AppError,
  createId,
  type Idempotency,
  invalid,
  type Page,
  type PageRequest,
  pageById,
  parseDisplayName,
  sha256Hex,
  windowOf,
} from '@tollgate/core';
import {
  type Account,
  DEFAULT_PLAN,
  hasErasureBegun,
  ownerIdOf,
  requireNotErased,
} from '../domain/account';
import { type Actor, type Role, requireOperator } from '../domain/actor';
import { isSessionOver } from '../domain/session';
import {
  emailKeyOf,
  normaliseEmail,
  type User,
  type UserStatus,
  withoutPassword,
} from '../domain/user';
import { userQuota, withinQuota } from './account-quota';
import { changeUser } from './changes';
import type { Dependencies } from './dependencies';
import { createLoginThrottle } from './login-throttle';
import { findById, itemBeforePage, requireById } from './lookups';
import { insertUser, type NewUser, prepareUser } from './new-user';
import { openAccount } from './open-account';
import { endSessions } from './sessions';

/** Users as operators see them, registration, and the user behind an access token. */
export function createUserOperations(deps: Dependencies) {
  return {
    getUser: (input: GetUserInput) => getUser(deps, input),
    createUser: (input: CreateUserInput) => createUser(deps, input),
    listUsers: (input: ListUsersInput) => listUsers(deps, input),
    setUserStatus: (input: SetUserStatusInput) => setUserStatus(deps, input),
    endUserSessions: (input: UserReference) => endUserSessions(deps, input),
  };
}

export interface GetUserInput {
  readonly userId: string;
  /** The session for which a gateway asks: the answer is a refusal when it is over. */
  readonly sessionId?: string;
}

export interface UserWithAccount {
  readonly user: User;
  readonly account: Account;
}

async function getUser(
  deps: Dependencies,
  { userId, sessionId }: GetUserInput,
): Promise<UserWithAccount> {
  const { accounts, users } = deps;
  if (sessionId !== undefined) await requireOpenSession(deps, userId, sessionId);
  const user = await findById('user', users, userId);
  const account = user && (await accounts.find(user.accountId));
  if (user === undefined || account === undefined) throw new AppError('NOT_FOUND');
  // Asked for a session, to admit it: an erased account admits nobody.
  if (sessionId !== undefined && hasErasureBegun(account)) throw new AppError('UNAUTHORIZED');
  return { user, account };
}

async function requireOpenSession(
  { clock, sessions }: Dependencies,
  userId: string,
  sessionId: string,
): Promise<void> {
  const session = await findById('session', sessions, sessionId);
  if (session === undefined || session.userId !== userId || isSessionOver(session, clock.now())) {
    throw new AppError('UNAUTHORIZED');
  }
}

export interface CreateUserInput extends NewUser {
  /** Absent for a registration. */
  readonly actor: Actor | undefined;
  /** Joins an existing account; empty makes a new one. */
  readonly accountId: string;
  /** Absent: member of an existing account, owner of a new one. */
  readonly role: Role | undefined;
  readonly registration: boolean;
  readonly idempotency: Idempotency;
}

export interface CreatedUser extends UserWithAccount {
  readonly replayed: boolean;
}

/** An operator adds a user, or a user registers where configuration allows it. */
async function createUser(deps: Dependencies, input: CreateUserInput): Promise<CreatedUser> {
  const scope = requireCreator(deps, input);
  if (input.registration && input.idempotency.key !== '') {
    // A repetition with another password is answered differently, so that it is a guess at it.
    await createLoginThrottle(deps).admitRegistration(normaliseEmail(input.email) ?? '');
  }
  const joins = !input.registration && input.accountId !== '';
  const { answer, replayed } = await deps.runIdempotently({
    scope,
    operation: 'create-user',
    idempotency: input.idempotency,
    newEffectId: () => (joins ? createId('user') : createId('account')),
    effect: (id) => (joins ? joinAccount(deps, input, id) : createOwner(deps, input, id)),
    async findEffect(id) {
      const user = await deps.users.find(joins ? id : ownerIdOf(id));
      const account = user && (await deps.accounts.find(user.accountId));
      return user && account && { user: withoutPassword(user), account };
    },
  });
  return { ...answer, replayed };
}

/** Refuses who may not create users; answers the scope of the creator's idempotency keys. */
function requireCreator(
  { registrationOpen }: Dependencies,
  { registration, actor, email }: CreateUserInput,
): string {
  if (!registration) {
    if (actor === undefined) throw new AppError('UNAUTHORIZED');
    requireOperator(actor);
    return actor.accountId;
  }
  if (!registrationOpen) {
    throw new AppError('FORBIDDEN', { publicMessage: 'Registration is closed.' });
  }
  // Nobody is known yet: one scope for each email keeps the keys of strangers apart.
  return `registration ${sha256Hex(normaliseEmail(email) ?? '')}`;
}

async function joinAccount(deps: Dependencies, input: CreateUserInput, id: string) {
  const { accountId } = input;
  const account = await findById('account', deps.accounts, accountId);
  if (account === undefined) throw new AppError('NOT_FOUND', { param: 'account_id' });
  requireNotErased(account);
  const prepared = await prepareUser(deps, input);
  const role = input.role ?? 'member';
  const user = await withinQuota(deps, userQuota(deps, accountId), () =>
    insertUser(deps, prepared, { id, accountId, role, emailProven: true }),
  );
  return { user: withoutPassword(user), account };
}

async function createOwner(deps: Dependencies, input: CreateUserInput, id: string) {
  const ownerRole = ownerRoleOf(input);
  const owner = await prepareUser(deps, input);
  const { account, owner: user } = await openAccount(deps, {
    id,
    name: parseDisplayName('display_name', owner.displayName),
    plan: DEFAULT_PLAN,
    owner,
    ownerRole,
    // Nobody vouches for the email of a user who registered: only an operator does.
    emailProven: !input.registration,
  });
  return { user: withoutPassword(user), account };
}

/** Whoever registers chooses no role. */
function ownerRoleOf({ registration, role }: CreateUserInput): 'owner' | 'operator' {
  if (registration || role === undefined) return 'owner';
  if (role === 'owner' || role === 'operator') return role;
  throw invalid('role', `A user of a new account is no ${role}: name the account with account_id.`);
}

export interface ListUsersInput {
  readonly actor: Actor;
  /** Empty lists the users of every account. */
  readonly accountId: string;
  /** How emails begin, in upper or lower case; absent and empty are any. */
  readonly email?: string;
  readonly page: PageRequest;
}

/** Newest first; those that are looked for by email in the order of emails. */
async function listUsers(
  { users }: Dependencies,
  { actor, accountId, email = '', page }: ListUsersInput,
): Promise<Page<User>> {
  requireOperator(actor);
  const window = windowOf(page);
  const ofAccount = accountId === '' ? {} : { accountId };
  if (email === '') return pageById(await users.list({ window, ...ofAccount }), window);
  const after = await itemBeforePage(users, window);
  const search = { prefix: emailKeyOf(email), after, limit: window.limit + 1, ...ofAccount };
  return pageById(await users.searchByEmail(search), window);
}

export interface UserReference {
  readonly actor: Actor;
  readonly userId: string;
}

export interface SetUserStatusInput extends UserReference {
  readonly status: UserStatus;
}

/**
 * An operator locks a user out or lets one in again. Sessions and a code for a new password end,
 * and keys that the user made act for nobody while the user is disabled. Repeating it notifies
 * the gateways again.
 */
async function setUserStatus(
  deps: Dependencies,
  { actor, userId, status }: SetUserStatusInput,
): Promise<User> {
  requireOperator(actor);
  if (status === 'disabled' && userId === actor.userId) {
    throw new AppError('CONFLICT', { publicMessage: 'You cannot disable yourself.' });
  }
  if (status === 'active') await requireAccountNotErased(deps, userId);
  const changed = await changeUser(deps, userId, (user) =>
    user.status === status ? user : { ...user, status },
  );
  if (status === 'disabled') {
    await deps.resetCodes.removeOf(changed.id);
    await endSessions(deps, changed.id);
  }
  // The gateways know the user's keys by the account.
  await deps.principalLog.append([changed.accountId]);
  return withoutPassword(changed);
}

/** Nobody of an erased account is let in again: least of all as the platform's last operator. */
async function requireAccountNotErased(
  { users, accounts }: Dependencies,
  userId: string,
): Promise<void> {
  const { accountId } = await requireById('user', users, userId);
  const account = await accounts.find(accountId);
  if (account !== undefined) requireNotErased(account);
}

async function endUserSessions(
  deps: Dependencies,
  { actor, userId }: UserReference,
): Promise<User> {
  requireOperator(actor);
  const user = await requireById('user', deps.users, userId);
  await endSessions(deps, user.id);
  return withoutPassword(user);
}
