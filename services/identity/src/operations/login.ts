import { AppError } from '@tollgate/core';
import { isTooLong, normaliseEmail } from '../domain/user';
import type { Dependencies } from './dependencies';
import { openSession, type SessionGrant } from './open-session';
import { createAttemptThrottle } from './throttle-attempts';

export interface LoginInput {
  readonly email: string;
  readonly password: string;
  readonly remoteAddress: string;
}

/**
 * Email and password against a session. An unknown email, a wrong password, a disabled user and a
 * user without a password take the same steps and get the same answer.
 */
export function createLogin(
  deps: Pick<
    Dependencies,
    | 'clock'
    | 'random'
    | 'accounts'
    | 'users'
    | 'sessions'
    | 'refreshTokens'
    | 'attempts'
    | 'hasher'
    | 'tokens'
  >,
) {
  const throttle = createAttemptThrottle(deps);
  return async (input: LoginInput): Promise<SessionGrant> => {
    const { password, remoteAddress } = input;
    const email = normaliseEmail(input.email);
    // Nobody's: no record has such an address or such a password, and hashing it would cost.
    if (email === undefined || isTooLong(password)) throw new AppError('INVALID_CREDENTIALS');
    await throttle.admit(email, remoteAddress);
    const user = await deps.users.findByEmail(email);
    const matches = await deps.hasher.verify(user?.passwordHash, password);
    if (user === undefined || !matches || user.status !== 'active') {
      throw new AppError('INVALID_CREDENTIALS');
    }
    await throttle.succeeded(email, remoteAddress);
    return openSession(deps, user);
  };
}
