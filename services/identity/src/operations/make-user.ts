import { AppError } from '@tollgate/core';
import type { Role } from '../domain/role';
import type { User } from '../domain/user';
import { checkPassword, parseDisplayName, parseEmail } from '../domain/user';
import type { Dependencies } from './dependencies';

/** A new person as asked for. */
export interface NewPerson {
  readonly email: string;
  readonly password: string;
  readonly displayName: string;
}

/** A checked person, ready to be stored under an id. */
export interface PreparedUser {
  readonly email: string;
  readonly displayName: string;
  readonly passwordHash: string;
}

/** Where and as what the person joins. */
export interface Placement {
  readonly id: string;
  readonly accountId: string;
  readonly role: Role;
  readonly emailProven: boolean;
}

/** Checks the fields and hashes the password; refuses with the field at fault. */
export async function prepareUser(
  deps: Pick<Dependencies, 'hasher'>,
  person: NewPerson,
  /** Where the person stands in the request: `owner.` or nothing. */
  at = '',
): Promise<PreparedUser> {
  const email = parseEmail(person.email, `${at}email`);
  checkPassword(`${at}password`, person.password, email);
  const displayName = parseDisplayName(person.displayName, email, `${at}display_name`);
  return { email, displayName, passwordHash: await deps.hasher.hash(person.password) };
}

/** Stores the user; a taken email is a CONFLICT that does not say whose it is. */
export async function insertUser(
  deps: Pick<Dependencies, 'clock' | 'users'>,
  prepared: PreparedUser,
  placement: Placement,
): Promise<User> {
  const user: User = {
    ...prepared,
    ...placement,
    status: 'active',
    identities: [],
    createdAt: deps.clock.now(),
    rev: 1,
  };
  if ((await deps.users.insert(user)) === 'exists') {
    throw new AppError('CONFLICT', {
      param: 'email',
      publicMessage: 'This email address cannot be used.',
    });
  }
  return user;
}
