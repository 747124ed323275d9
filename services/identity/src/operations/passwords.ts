import { AppError, createId, type Idempotency, invalid } from '@tollgate/core';
import { requireOperator } from '../domain/actor';
import { createResetCode, resetCodeDigest } from '../domain/reset-code';
import {
  checkPassword,
  emailKeyOf,
  isPasswordTooLong,
  type User,
  withChange,
  withoutPassword,
} from '../domain/user';
import { changeRecord } from './changes';
import type { Dependencies } from './dependencies';
import { createLoginThrottle } from './login-throttle';
import { requireNamedUser } from './lookups';
import { endSessions } from './sessions';
import type { UserReference } from './users';

/** A password is changed by its owner, or set anew by a code that an operator made. */
export function createPasswordOperations(deps: Dependencies) {
  return {
    changePassword: (input: ChangePasswordInput) => changePassword(deps, input),
    startPasswordReset: (input: UserReference) => startPasswordReset(deps, input),
    resetPassword: (input: ResetPasswordInput) => resetPassword(deps, input),
  };
}

export interface ChangePasswordInput {
  readonly userId: string;
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly idempotency: Idempotency;
}

/** Sets a new password and ends every session, so that it locks out who knew the old one. */
async function changePassword(
  deps: Dependencies,
  input: ChangePasswordInput,
): Promise<{ readonly replayed: boolean }> {
  const { users } = deps;
  const { userId } = input;
  const user = await users.find(userId);
  if (user?.status !== 'active') throw new AppError('UNAUTHORIZED');
  if (isPasswordTooLong(input.currentPassword)) throw new AppError('INVALID_CREDENTIALS');
  // Repetitions count too: being answered as one tells that both passwords were right.
  const throttle = createLoginThrottle(deps);
  await throttle.admitSession(user.email);
  const { replayed } = await deps.runIdempotently({
    scope: user.accountId,
    operation: `change-password ${userId}`,
    idempotency: input.idempotency,
    async effect(passwordChangeId) {
      await setPassword(deps, user, input, passwordChangeId);
      await endSessions(deps, userId);
      return {};
    },
    async findEffect(passwordChangeId) {
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
  { users, resetCodes, hasher }: Dependencies,
  user: User,
  { currentPassword, newPassword }: ChangePasswordInput,
  passwordChangeId: string,
): Promise<void> {
  if (!(await hasher.verify(user.passwordHash, currentPassword))) throw wrongPassword();
  checkPassword('new_password', newPassword, user.email);
  if (newPassword === currentPassword) {
    throw invalid('new_password', 'new_password must differ from the current one.');
  }
  const passwordHash = await hasher.hash(newPassword);
  await changeRecord({
    load: () => users.find(user.id),
    change(present) {
      // Set anew while this one was checked, by somebody whom it must not lock out.
      if (present.passwordHash !== user.passwordHash) throw wrongPassword();
      return withNewPassword(present, { passwordHash, passwordChangeId });
    },
    write: users.update,
  });
  await resetCodes.removeOf(user.id);
}

function wrongPassword(): AppError {
  return new AppError('INVALID_CREDENTIALS', {
    publicMessage: 'The current password is wrong.',
    param: 'current_password',
  });
}

/** The password is its owner's own from now on. */
function withNewPassword(
  { mustChangePassword: _, ...user }: User,
  set: { readonly passwordHash: string; readonly passwordChangeId: string },
): User {
  return withChange(user, set);
}

export interface StartedReset {
  readonly user: User;
  /** For the user, told once. */
  readonly code: string;
  readonly expiresAtMs: number;
}

/** An operator makes a code for somebody who forgot the password; the password stays until then. */
async function startPasswordReset(
  { clock, random, users, resetCodes }: Dependencies,
  { actor, userId }: UserReference,
): Promise<StartedReset> {
  requireOperator(actor);
  const user = await requireNamedUser(users, userId);
  const { text, code } = createResetCode(user.id, clock.now(), random);
  await resetCodes.write(code);
  return { user: withoutPassword(user), code: text, expiresAtMs: code.expiresAtMs };
}

export interface ResetPasswordInput {
  readonly code: string;
  readonly newPassword: string;
  readonly remoteAddress: string;
}

/**
 * Sets a new password by a one-time code, and ends every session of the user. A password that is
 * refused leaves the code; of several requests with one code exactly one sets its password.
 */
async function resetPassword(
  deps: Dependencies,
  { code, newPassword, remoteAddress }: ResetPasswordInput,
): Promise<User> {
  const { clock, users, resetCodes, hasher } = deps;
  const throttle = createLoginThrottle(deps);
  await throttle.admitReset(remoteAddress);
  const digest = resetCodeDigest(code);
  const known = digest === undefined ? undefined : await resetCodes.find(digest);
  const user = known && (await users.find(known.userId));
  if (known === undefined || known.expiresAtMs <= clock.now() || user === undefined) {
    throw wrongCode();
  }
  // Whoever has the code was told it by an operator: another code would not help.
  if (user.status !== 'active') throw rightCodeOfDisabled();
  checkPassword('new_password', newPassword, user.email);
  const passwordHash = await hasher.hash(newPassword);
  if (!(await resetCodes.take(known.digest))) throw wrongCode();
  const set = { passwordHash, passwordChangeId: createId('effect') };
  const changed = await changeRecord({
    load: () => users.find(user.id),
    change: (present) => withNewPassword(present, set),
    write: users.update,
  });
  await endSessions(deps, user.id);
  // Whoever lost a password has guessed at it: that shall not keep out who has set it anew.
  await throttle.succeeded(emailKeyOf(user.email), remoteAddress);
  return withoutPassword(changed);
}

function rightCodeOfDisabled(): AppError {
  return new AppError('INVALID_CREDENTIALS', {
    publicMessage:
      'This code is right, but you are disabled and cannot sign in. Ask whoever gave it to you to ' +
      'enable you again; another code does not help.',
    param: 'code',
  });
}

function wrongCode(): AppError {
  return new AppError('INVALID_CREDENTIALS', {
    publicMessage: 'This code is wrong, was used before, or is over. Ask for another one.',
    param: 'code',
  });
}
