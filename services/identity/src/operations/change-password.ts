import { AppError } from '@tollgate/core';
import { invalid } from '../domain/invalid';
import { checkPassword, isTooLong } from '../domain/user';
import { changeRecord } from './change-record';
import type { Dependencies } from './dependencies';
import { createAttemptThrottle } from './throttle-attempts';

export interface ChangePasswordInput {
  readonly userId: string;
  readonly currentPassword: string;
  readonly newPassword: string;
}

/** Sets a new password and ends every session, so that who knew the old one is out. */
export function createChangePassword(
  deps: Pick<Dependencies, 'clock' | 'users' | 'sessions' | 'attempts' | 'hasher'>,
) {
  const { clock, users, sessions, hasher } = deps;
  const throttle = createAttemptThrottle(deps);
  return async (input: ChangePasswordInput): Promise<void> => {
    const { userId, currentPassword, newPassword } = input;
    const user = await users.find(userId);
    if (user?.status !== 'active') throw new AppError('UNAUTHORIZED');
    if (isTooLong(currentPassword)) throw new AppError('INVALID_CREDENTIALS');
    await throttle.admitSession(user.email);
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
      load: () => users.find(userId),
      change: (present) => ({ ...present, passwordHash, rev: present.rev + 1 }),
      write: users.update,
    });
    await throttle.sessionSucceeded(user.email);
    await sessions.endAll(userId, clock.now());
  };
}
