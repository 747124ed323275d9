import {
  AppError,
  EMAIL_LENGTH_MAX,
  invalid,
  PASSWORD_BYTES_MAX,
  PASSWORD_LENGTH_MIN,
  parseDisplayName,
} from '@tollgate/core';
import type { Actor, Role } from './actor';

export type UserStatus = 'active' | 'disabled';

/** A login at an outside identity provider. */
export interface LinkedIdentity {
  readonly issuer: string;
  readonly subject: string;
}

/** A person with a login; belongs to exactly one account. */
export interface User {
  readonly id: string;
  readonly email: string;
  /**
   * Whether an operator or an identity provider vouched for the email, or, while registration is
   * closed, a manager. Any other is only what somebody said, and goes to the person whom a provider
   * names for it.
   */
  readonly emailProven: boolean;
  readonly displayName: string;
  readonly role: Role;
  readonly status: UserStatus;
  readonly accountId: string;
  /** Absent for people who only use an outside login. */
  readonly passwordHash: string | undefined;
  /** Which request set the password; absent when nobody has changed it. */
  readonly passwordChangeId?: string;
  /** Somebody else set the password: until it is changed its owner may do nothing else. */
  readonly mustChangePassword?: boolean;
  readonly identities: readonly LinkedIdentity[];
  /** Milliseconds since the epoch: answers kept for a repetition have it by this name. */
  readonly createdAt: number;
  readonly rev: number;
}

const EMAIL = /^[^\s@"<>(),;:\\[\]]{1,64}@[^\s@"<>(),;:\\[\]]{1,190}$/;

/** Controls and what takes no room: two emails that differ only there look the same. */
const HIDDEN = /[\p{C}\p{Default_Ignorable_Code_Point}]/u;

/** By what emails are looked for, also by the beginning of one. */
export function emailKeyOf(text: string): string {
  return text.trim().normalize('NFKC').toLowerCase();
}

/**
 * Lowercases and trims; undefined for text that is no email. Other spellings of a character, such as
 * a ligature or a full-width letter, are refused and not folded: with them it is another mailbox.
 */
export function normaliseEmail(text: string): string | undefined {
  const email = emailKeyOf(text);
  const written = text.trim();
  const isPlain = written.normalize('NFKC') === written && !HIDDEN.test(email);
  return isPlain && email.length <= EMAIL_LENGTH_MAX && EMAIL.test(email) ? email : undefined;
}

/** Such as `unclaimedEmail` makes: nobody has a mailbox there, so there is nothing to vouch for. */
export function isNobodysEmail(email: string): boolean {
  return email.endsWith('.invalid');
}

/** As `normaliseEmail`, but refuses text that is no email. */
export function parseEmail(text: string, param = 'email'): string {
  const email = normaliseEmail(text);
  if (email === undefined) throw invalid(param, `${param} must be an email address.`);
  return email;
}

/** Whether the text is longer than any password may be; cheaper to know than a hash. */
export function isPasswordTooLong(password: string): boolean {
  return Buffer.byteLength(password) > PASSWORD_BYTES_MAX;
}

/** The given name, or without one the part of the email before the at sign. */
export function displayNameOrEmail(text: string, email: string, param = 'display_name'): string {
  return parseDisplayName(param, text.trim() === '' ? email.slice(0, email.indexOf('@')) : text);
}

/** Length is what counts; the upper bound keeps hashing cheap to refuse. */
export function checkPassword(param: string, password: string, email: string): void {
  if ([...password].length < PASSWORD_LENGTH_MIN) {
    throw invalid(param, `${param} must have at least ${PASSWORD_LENGTH_MIN} characters.`);
  }
  if (isPasswordTooLong(password)) {
    throw invalid(param, `${param} must have at most ${PASSWORD_BYTES_MAX} bytes.`);
  }
  const lower = password.toLowerCase();
  if (lower === email || new Set(lower).size < 3) {
    throw invalid(param, `${param} is too easy to guess.`);
  }
}

/** Nobody gives a role above the own one: admins add admins and members, owners also owners. */
export function requireAssignable(actor: Actor, role: Role): void {
  const allowed = role !== 'operator' && (role !== 'owner' || actor.role !== 'admin');
  if (actor.role === 'member' || !allowed) {
    throw new AppError('FORBIDDEN', { param: 'role' });
  }
}

/** An operator counts as an owner of its account. */
export function isOwner(user: Pick<User, 'role'>): boolean {
  return user.role === 'owner' || user.role === 'operator';
}

/** The next revision of the user. */
export function withChange(user: User, change: Partial<User>): User {
  return { ...user, ...change, rev: user.rev + 1 };
}

/** The user as an answer may keep it: idempotent answers are stored, password hashes are not. */
export function withoutPassword(user: User): User {
  return { ...user, passwordHash: undefined };
}
