import type { User } from '../domain/user';

/** The user as an answer may keep it: idempotent answers are stored, password hashes are not. */
export function withoutSecrets(user: User): User {
  return { ...user, passwordHash: undefined };
}
