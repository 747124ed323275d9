import { AppError, isId } from '@tollgate/core';
import type { Account } from '../domain/account';
import { isOver } from '../domain/session';
import type { User } from '../domain/user';
import type { Dependencies } from './dependencies';

export interface UserWithAccount {
  readonly user: User;
  readonly account: Account;
}

export interface GetUserInput {
  readonly userId: string;
  /** The session for which a gateway asks: the answer is a refusal when it is over. */
  readonly sessionId?: string;
}

export function createGetUser(
  deps: Pick<Dependencies, 'clock' | 'accounts' | 'users' | 'sessions'>,
) {
  const { clock, accounts, users, sessions } = deps;

  const requireOpen = async (userId: string, sessionId: string): Promise<void> => {
    const session = isId('session', sessionId) ? await sessions.find(sessionId) : undefined;
    if (session === undefined || session.userId !== userId || isOver(session, clock.now())) {
      throw new AppError('UNAUTHORIZED');
    }
  };

  return async ({ userId, sessionId }: GetUserInput): Promise<UserWithAccount> => {
    if (sessionId !== undefined) await requireOpen(userId, sessionId);
    const user = isId('user', userId) ? await users.find(userId) : undefined;
    const account = user && (await accounts.find(user.accountId));
    if (user === undefined || account === undefined) throw new AppError('NOT_FOUND');
    return { user, account };
  };
}
