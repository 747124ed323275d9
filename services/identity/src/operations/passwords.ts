import { AppError, createId, invalid } from '@tollgate/core';
import type { Idempotency } from '@tollgate/mongo';
import { checkPassword, isTooLong, type User } from '../domain/user';
import { createAttemptThrottle } from './attempt-throttle';
import { changeRecord } from './change-record';
import type { Dependencies } from './dependencies';
import { endSessions } from './sessions';

type PasswordDependencies = Pick<
  Dependencies,
  'clock' | 'users' | 'sessions' | 'principals' | 'attempts' | 'hasher' | 'runIdempotently'
>;

export function createPasswordOperations(deps: PasswordDependencies) {
  return { changePassword: (input: ChangePasswordInput) => changePassword(deps, input) };
}

export interface ChangePasswordInput {
  readonly userId: string;
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly idempotency: Idempotency;
}

/** Sets a new password and ends every session, so that it locks out who knew the old one. */
async function changePassword(
  deps: PasswordDependencies,
  input: ChangePasswordInput,
): Promise<{ readonly replayed: boolean }> {
  const { users } = deps;
  const { userId } = input;
  const user = await users.find(userId);
  if (user?.status !== 'active') throw new AppError('UNAUTHORIZED');
  if (isTooLong(input.currentPassword)) throw new AppError('INVALID_CREDENTIALS');
  // Repetitions count too: being answered as one tells that both passwords were right.
  const throttle = createAttemptThrottle(deps);
  await throttle.admitSession(user.email);
  const { replayed } = await deps.runIdempotently({
    scope: user.accountId,
    operation: `change-password ${userId}`,
    idempotency: input.idempotency,
    newEffectId: () => createId('event'),
    async effect(passwordChangeId) {
      await setPassword(deps, user, input, passwordChangeId);
      await endSessions(deps, userId);
      return {};
    },
    async recall(passwordChangeId) {
      const present = await users.find(userId);
      if (present?.passwordChangeId !== passwordChangeId) return undefined;
      await endSessions(deps, userId);
      return {};
    },
  });
  await throttle.sessionSucceeded(user.email);
  return { replayed };
}

async function setPassword(
  { users, hasher }: PasswordDependencies,
  user: User,
  { currentPassword, newPassword }: ChangePasswordInput,
  passwordChangeId: string,
): Promise<void> {
  if (!(await hasher.verify(user.passwordHash, currentPassword))) {
    throw new AppError('INVALID_CREDENTIALS', {
      publicMessage: 'The current password is wrong.',
      param: 'current_password',
    });
  }
  checkPassword('new_password', newPassword, user.email);
  if (newPassword === currentPassword) {
    throw invalid('new_password', 'new_password must differ from the current one.');
  }
  const passwordHash = await hasher.hash(newPassword);
  await changeRecord({
    load: () => users.find(user.id),
    change: (present) => ({ ...present, passwordHash, passwordChangeId, rev: present.rev + 1 }),
    write: users.update,
  });
}
