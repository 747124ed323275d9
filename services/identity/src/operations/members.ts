import {
  AppError,
  createId,
  type Idempotency,
  isCode,
  type Page,
  type PageRequest,
  pageById,
  parseDisplayName,
  windowOf,
} from '@tollgate/core';
import { type Actor, type Role, requireManager, requireOperator } from '../domain/actor';
import {
  isNobodysEmail,
  isOwner,
  parseEmail,
  requireAssignable,
  type User,
  withoutPassword,
} from '../domain/user';
import { releaseQuota, userQuota, withinQuota } from './account-quota';
import { changeUser } from './changes';
import type { Dependencies } from './dependencies';
import { revokeKeysOfUser } from './keys';
import { requireById } from './lookups';
import { emailTaken, insertUser, type NewUser, prepareUser } from './new-user';

/** What owners and admins do with the people of their own account. */
export function createMemberOperations(deps: Dependencies) {
  return {
    addMember: (input: AddMemberInput) => addMember(deps, input),
    listMembers: (input: ListMembersInput) => listMembers(deps, input),
    getMember: (input: MemberReference) => requireMember(deps, input),
    updateMember: (input: UpdateMemberInput) => updateMember(deps, input),
    removeMember: (input: MemberReference) => removeMember(deps, input),
  };
}

export interface AddMemberInput extends NewUser {
  readonly actor: Actor;
  /** Absent means member. */
  readonly role: Role | undefined;
  readonly idempotency: Idempotency;
}

async function addMember(
  deps: Dependencies,
  input: AddMemberInput,
): Promise<{ readonly user: User; readonly replayed: boolean }> {
  const { actor } = input;
  const { accountId } = actor;
  requireManager(actor);
  const role = input.role ?? 'member';
  requireAssignable(actor, role);
  const { answer, replayed } = await deps.runIdempotently<User>({
    scope: accountId,
    operation: 'add-member',
    idempotency: input.idempotency,
    newEffectId: () => createId('user'),
    async effect(id) {
      const prepared = await prepareUser(deps, input);
      const emailProven = await mayVouch(deps, actor);
      const insert = () => insertUser(deps, prepared, { id, accountId, role, emailProven });
      return withoutPassword(await withinQuota(deps, userQuota(deps, accountId), insert));
    },
    async findEffect(id) {
      const user = await deps.users.find(id);
      return user && withoutPassword(user);
    },
  });
  return { user: answer, replayed };
}

/**
 * Whether who adds a user may vouch for the email. An operator may; a manager only while
 * registration is closed, and only one whose own email was vouched for, because anybody may have
 * opened an account while it was open.
 */
async function mayVouch(
  { registrationOpen, users }: Dependencies,
  { operator, userId }: Actor,
): Promise<boolean> {
  if (operator) return true;
  return !registrationOpen && (await users.find(userId))?.emailProven === true;
}

export interface ListMembersInput {
  readonly actor: Actor;
  readonly page: PageRequest;
}

async function listMembers(
  { users }: Dependencies,
  { actor, page }: ListMembersInput,
): Promise<Page<User>> {
  const window = windowOf(page);
  return pageById(await users.list({ accountId: actor.accountId, window }), window);
}

export interface MemberReference {
  readonly actor: Actor;
  readonly userId: string;
}

export interface UpdateMemberInput extends MemberReference {
  /** An undefined field stays as it is. */
  readonly displayName: string | undefined;
  readonly role: Role | undefined;
  /** The member may be of another account than the actor, who is an operator. */
  readonly anyAccount?: boolean;
  /**
   * Only an operator gives it, and vouches for it by that, unless it is `isNobodysEmail`. The present
   * email may be given again, to vouch for it.
   */
  readonly email?: string | undefined;
}

/** Changes a member's name, role or email; keys that the member made follow the role. */
async function updateMember(deps: Dependencies, input: UpdateMemberInput): Promise<User> {
  const { actor, displayName, role } = input;
  if (input.anyAccount || input.email !== undefined) requireOperator(actor);
  else requireManager(actor);
  const email = input.email === undefined ? undefined : parseEmail(input.email);
  const member = input.anyAccount
    ? await requireById('user', deps.users, input.userId)
    : await requireMember(deps, input);
  if (email !== undefined) await requireFree(deps, email, member);
  const changed = await changeUser(deps, member.id, (user) => {
    requireBelow(actor, user);
    if (role !== undefined && role !== user.role) {
      requireAssignable(actor, role);
      // An operator is one by no account's decision.
      if (user.role === 'operator') throw new AppError('FORBIDDEN', { param: 'role' });
    }
    return {
      ...user,
      ...(email === undefined ? {} : { email, emailProven: !isNobodysEmail(email) }),
      role: role ?? user.role,
      displayName:
        displayName === undefined
          ? user.displayName
          : parseDisplayName('display_name', displayName),
    };
  }).catch(async (error: unknown) => {
    // The unique index refuses an email that somebody else was given since it was found free.
    if (email !== undefined && isCode(error, 'DATABASE_ERROR')) {
      await requireFree(deps, email, member);
    }
    throw error;
  });
  await deps.principalLog.append([member.accountId]);
  return withoutPassword(changed);
}

async function requireFree({ users }: Dependencies, email: string, { id }: User): Promise<void> {
  const holder = await users.findByEmail(email);
  if (holder !== undefined && holder.id !== id) throw emailTaken();
}

/**
 * Admins do nothing to owners, and an account's people nothing to an operator. Asked of the record
 * that is about to be written: a role may have changed since an earlier look.
 */
function requireBelow(actor: Actor, member: User): void {
  const isAbove =
    member.role === 'operator' ? !actor.operator : isOwner(member) && actor.role === 'admin';
  if (isAbove) throw new AppError('FORBIDDEN');
}

/** The member of the actor's account; NOT_FOUND for anybody else. */
async function requireMember(
  { users }: Dependencies,
  { actor, userId }: MemberReference,
): Promise<User> {
  const user = await requireById('user', users, userId);
  if (user.accountId !== actor.accountId) throw new AppError('NOT_FOUND');
  return withoutPassword(user);
}

/** Removes a user together with the sessions and keys of that user. */
async function removeMember(deps: Dependencies, { actor, userId }: MemberReference): Promise<void> {
  const { clock, users, sessions, principalLog } = deps;
  const user = await requireMember(deps, { actor, userId });
  requireManager(actor);
  // Disabled first: that is refused to the last one, however many leave at the same time.
  await changeUser(deps, user.id, (present) => {
    requireBelow(actor, present);
    return { ...present, status: 'disabled' };
  });
  // The record goes last, so that an interrupted removal can be repeated.
  await sessions.endAll(user.id, clock.now());
  await revokeKeysOfUser(deps, user, actor);
  // Gateways may have the user cached for an access token that is still valid.
  await principalLog.append([user.accountId]);
  if (await users.remove(user.id)) await releaseQuota(deps, 'users', user.accountId);
}
