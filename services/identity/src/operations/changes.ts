import { AppError, isCode } from '@tollgate/core';
import { retryChange } from '@tollgate/mongo';
import { isOwner, type User, withChange } from '../domain/user';
import type { Dependencies } from './dependencies';
import { findById } from './lookups';

/** How one kind of record is read, changed and written back. */
export interface RecordChange<Changed> {
  /** Undefined answers NOT_FOUND. */
  load(): Promise<Changed | undefined>;
  /** The next revision; the same object when nothing changes. */
  change(record: Changed): Changed;
  /** False when somebody else wrote first. */
  write(next: Changed): Promise<boolean>;
}

/** Reads, changes and writes until no other write came between. */
export function changeRecord<Changed>(steps: RecordChange<Changed>): Promise<Changed> {
  const attempt = async () => {
    const record = await steps.load();
    if (record === undefined) throw new AppError('NOT_FOUND');
    const next = steps.change(record);
    return next === record || (await steps.write(next)) ? next : undefined;
  };
  return retryChange('resource', attempt);
}

type UserDependencies = Pick<Dependencies, 'users' | 'principalLog'>;

/** Who must remain when somebody steps down; an account that is being erased needs no owner. */
type Successors = 'owner and operator' | 'operator';

/**
 * Changes a user in a way that leaves the account an owner and the platform an operator who can
 * sign in. Those who step down at the same time are all seen by whoever writes last: each looks
 * again after its write, and takes it back where nobody is left.
 */
export async function changeUser(
  { users, principalLog }: UserDependencies,
  userId: string,
  change: (present: User) => User,
  successors: Successors = 'owner and operator',
): Promise<User> {
  const check = (present: User, next: User) =>
    requireSuccessors({ users }, present, next, successors);
  let before: User | undefined;
  const load = () => findById('user', users, userId);
  const write = (next: User) => users.update(next);
  const steps = { load, write };
  const present = await load();
  if (present !== undefined) await check(present, change(present));
  const changed = await changeRecord({
    ...steps,
    change(user) {
      before = user;
      const next = change(user);
      return next === user ? user : withChange(user, next);
    },
  });
  if (before === undefined) return changed;
  try {
    await check(before, changed);
  } catch (error) {
    const taken = { before, changed };
    const restore = (names: readonly (keyof User)[]) =>
      changeRecord({ ...steps, change: (user) => takeBack(user, taken, names) });
    const certain = ['role', 'status', 'displayName'] as const;
    await restore([...certain, 'email', 'emailProven']).catch((refusal: unknown) => {
      if (!isCode(refusal, 'DATABASE_ERROR')) throw refusal;
      // By its unique index: the former email is somebody else's by now. The new one stays, which an
      // operator gave: nobody is without an email, and no two have the same.
      return restore(certain);
    });
    // Gateways may have heard of the change while it stood.
    await principalLog.append([changed.accountId]);
    throw error;
  }
  return changed;
}

/** The user with these fields as before the change, but for what somebody else has changed since. */
function takeBack(
  user: User,
  { before, changed }: { readonly before: User; readonly changed: User },
  names: readonly (keyof User)[],
): User {
  // Whether an email is proven is said of that email.
  const isOurs = (name: keyof User) =>
    user[name] === changed[name] && (name !== 'emailProven' || user.email === changed.email);
  const ours = names.filter((name) => changed[name] !== before[name] && isOurs(name));
  if (ours.length === 0) return user;
  return withChange(user, Object.fromEntries(ours.map((name) => [name, before[name]])));
}

/** Refuses a change by which the account loses its last owner or the platform its last operator. */
async function requireSuccessors(
  { users }: Pick<Dependencies, 'users'>,
  before: User,
  after: User,
  successors: Successors,
): Promise<void> {
  if (before.status !== 'active') return;
  const givesUp = (holds: (user: User) => boolean) =>
    holds(before) && !(holds(after) && after.status === 'active');
  const { id, accountId } = before;
  const isAlone = (present: readonly User[]) => present.every((user) => user.id === id);
  const needsOwner = successors !== 'operator';
  if (needsOwner && givesUp(isOwner) && isAlone(await users.listOwnersAndOperators(accountId, 2))) {
    throw new AppError('CONFLICT', {
      publicMessage:
        'An account keeps at least one owner who can sign in: this is the last one. Make another ' +
        'owner first; an operator may suspend the account as a whole.',
    });
  }
  if (givesUp(isOperator) && isAlone(await users.listOperators(2))) {
    throw new AppError('CONFLICT', {
      publicMessage: 'The platform keeps an operator who can sign in: this is the last one.',
    });
  }
}

function isOperator(user: User): boolean {
  return user.role === 'operator';
}
