import { AppError, isId } from '@tollgate/core';
import { isOwner, type User } from '../domain/user';
import { changeRecord } from './change-record';
import type { Dependencies } from './dependencies';

type PersonDependencies = Pick<Dependencies, 'users'>;

/**
 * Changes a person in a way that leaves the account an owner who can sign in. Owners who step down
 * at the same time are all seen by whoever writes last: each looks again after its write, and takes
 * it back where nobody is left.
 */
export async function changePerson(
  { users }: PersonDependencies,
  userId: string,
  change: (present: User) => User,
): Promise<User> {
  let before: User | undefined;
  const load = async () => (isId('user', userId) ? users.find(userId) : undefined);
  const write = (next: User) => users.update(next);
  const steps = { load, write };
  const present = await load();
  if (present !== undefined && stepsDown(present, change(present))) {
    await requireOtherOwner({ users }, present);
  }
  const changed = await changeRecord({
    ...steps,
    change(user) {
      before = user;
      const next = change(user);
      return next === user ? user : { ...next, rev: user.rev + 1 };
    },
  });
  if (before === undefined || !stepsDown(before, changed)) return changed;
  try {
    await requireOtherOwner({ users }, changed);
  } catch (error) {
    const { role, status } = before;
    await changeRecord({
      ...steps,
      change: (user) => ({ ...user, role, status, rev: user.rev + 1 }),
    });
    throw error;
  }
  return changed;
}

/** An owner who can sign in stops being one. */
function stepsDown(before: User, after: User): boolean {
  return isActiveOwner(before) && !isActiveOwner(after);
}

function isActiveOwner(user: User): boolean {
  return isOwner(user) && user.status === 'active';
}

/** Refuses when nobody but this user owns the account. */
async function requireOtherOwner(
  { users }: PersonDependencies,
  { id, accountId }: User,
): Promise<void> {
  const owners = await users.listOwners(accountId, 2);
  if (owners.some((owner) => owner.id !== id)) return;
  throw new AppError('CONFLICT', {
    publicMessage: 'An account keeps at least one owner who can sign in: this is the last one.',
  });
}
