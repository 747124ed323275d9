import { AppError, createId } from '@tollgate/core';
import type { Idempotency } from '@tollgate/idempotency';
import { invalid } from '../domain/invalid';
import { checkPassword, isTooLong, type User } from '../domain/user';
import { changeRecord } from './change-record';
import type { Dependencies } from './dependencies';
import { createEndSessions } from './end-sessions';
import { runIdempotently } from './run-idempotently';
import { createAttemptThrottle } from './throttle-attempts';

export interface ChangePasswordInput {
  readonly userId: string;
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly idempotency: Idempotency;
}

type ChangePasswordDependencies = Pick<
  Dependencies,
  | 'clock'
  | 'logger'
  | 'users'
  | 'sessions'
  | 'principals'
  | 'attempts'
  | 'hasher'
  | 'digester'
  | 'idempotency'
>;

/** Sets a new password and ends every session, so that who knew the old one is out. */
export function createChangePassword(deps: ChangePasswordDependencies) {
  const { users } = deps;
  const endAllSessions = createEndSessions(deps);
  const throttle = createAttemptThrottle(deps);
  return async (input: ChangePasswordInput): Promise<{ readonly replayed: boolean }> => {
    const { userId } = input;
    const user = await users.find(userId);
    if (user?.status !== 'active') throw new AppError('UNAUTHORIZED');
    if (isTooLong(input.currentPassword)) throw new AppError('INVALID_CREDENTIALS');
    // Repetitions count too: being answered as one tells that both passwords were right.
    await throttle.admitSession(user.email);
    const endSessions = async () => {
      await endAllSessions(userId);
      return {};
    };
    const { replayed } = await runIdempotently(deps, {
      scope: user.accountId,
      operation: `change-password ${userId}`,
      idempotency: input.idempotency,
      newEffectId: () => createId('event'),
      async effect(passwordChangeId) {
        await setPassword(deps, user, input, passwordChangeId);
        return endSessions();
      },
      async recall(passwordChangeId) {
        const present = await users.find(userId);
        return present?.passwordChangeId === passwordChangeId ? endSessions() : undefined;
      },
    });
    await throttle.sessionSucceeded(user.email);
    return { replayed };
  };
}

async function setPassword(
  { users, hasher }: ChangePasswordDependencies,
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
