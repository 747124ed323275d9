import { AppError } from '@tollgate/core';
import type { Role } from '../domain/actor';
import {
  checkPassword,
  displayNameOrEmail,
  type LinkedIdentity,
  parseEmail,
  type User,
} from '../domain/user';
import type { Dependencies } from './dependencies';

/** A user as asked for. */
export interface NewUser {
  readonly email: string;
  readonly password: string;
  readonly displayName: string;
  /** The password is a first one, which its owner must change. */
  readonly mustChangePassword?: boolean;
}

/** A checked user, ready to be stored under an id. */
export interface PreparedUser {
  readonly email: string;
  readonly displayName: string;
  /** Undefined for people who only use an outside login. */
  readonly passwordHash: string | undefined;
  readonly mustChangePassword?: true;
  readonly identities?: readonly LinkedIdentity[];
}

/** Checks the fields and hashes the password; refuses with the field at fault. */
export async function prepareUser(
  { hasher }: Pick<Dependencies, 'hasher'>,
  { email: text, password, displayName: name, mustChangePassword }: NewUser,
  /** Where the fields stand in the request: `owner.` or nothing. */
  prefix = '',
): Promise<PreparedUser> {
  const email = parseEmail(text, `${prefix}email`);
  checkPassword(`${prefix}password`, password, email);
  const displayName = displayNameOrEmail(name, email, `${prefix}display_name`);
  const passwordHash = await hasher.hash(password);
  const flag = mustChangePassword === true ? ({ mustChangePassword } as const) : {};
  return { email, displayName, passwordHash, ...flag };
}

/** Where and as what the user joins. */
export interface Placement {
  readonly id: string;
  readonly accountId: string;
  readonly role: Role;
  readonly emailProven: boolean;
}

/** Stores the user; a taken email is a CONFLICT that does not say whose it is. */
export async function insertUser(
  { clock, users }: Pick<Dependencies, 'clock' | 'users'>,
  prepared: PreparedUser,
  placement: Placement,
): Promise<User> {
  const user: User = {
    identities: [],
    ...prepared,
    ...placement,
    status: 'active',
    createdAt: clock.now(),
    rev: 1,
  };
  if (!(await users.insert(user))) throw emailTaken();
  return user;
}

/** Does not say whose it is. */
export function emailTaken(): AppError {
  return new AppError('CONFLICT', {
    param: 'email',
    publicMessage: 'This email address cannot be used.',
  });
}
