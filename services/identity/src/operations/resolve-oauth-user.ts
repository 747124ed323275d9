import { AppError, createId } from '@tollgate/core';
import { DEFAULT_PLAN } from '../domain/account';
import type { OAuthProfile } from '../domain/oauth';
import { normaliseEmail, parseDisplayName, type User } from '../domain/user';
import { changeRecord } from './change-record';
import type { Dependencies } from './dependencies';
import { newAccount, ownerIdOf } from './make-account';
import { revokeKeysOfUser } from './revoke-keys-of-user';

type ResolveDependencies = Pick<
  Dependencies,
  | 'clock'
  | 'logger'
  | 'accounts'
  | 'users'
  | 'keys'
  | 'quotas'
  | 'relay'
  | 'sessions'
  | 'registrationOpen'
>;

/**
 * The user behind an outside login: the one it is linked to, else the one with its verified email,
 * else, where registration is open, a new one.
 */
export async function resolveOAuthUser(
  deps: ResolveDependencies,
  profile: OAuthProfile,
): Promise<User> {
  const linked = await deps.users.findByIdentity(profile);
  const user = linked ?? (await linkByEmail(deps, profile)) ?? (await register(deps, profile));
  if (user.status !== 'active') throw new AppError('UNAUTHORIZED');
  return user;
}

/** An address that nobody verified proves nothing: it links to nobody and registers nobody. */
function requireVerifiedEmail(profile: OAuthProfile): string {
  const email = normaliseEmail(profile.verifiedEmail ?? '');
  if (email !== undefined) return email;
  throw new AppError('FORBIDDEN', {
    publicMessage: 'The login provider has not verified your email address.',
  });
}

async function linkByEmail(
  deps: ResolveDependencies,
  profile: OAuthProfile,
): Promise<User | undefined> {
  const { users, sessions, clock, logger } = deps;
  const email = requireVerifiedEmail(profile);
  const found = await users.findByEmail(email);
  if (found === undefined) return undefined;
  if (!found.emailProven) {
    // Somebody registered with this address and never proved it. What that person set up must not
    // survive the arrival of the address's owner.
    await sessions.endAll(found.id, clock.now());
    await revokeKeysOfUser(deps, found, undefined);
  }
  const { issuer, subject } = profile;
  const linked = await changeRecord({
    load: () => users.find(found.id),
    change: (user) => ({
      ...user,
      identities: [...user.identities, { issuer, subject }],
      passwordHash: user.emailProven ? user.passwordHash : undefined,
      emailProven: true,
      rev: user.rev + 1,
    }),
    write: users.update,
  });
  logger.info({ userId: linked.id, issuer }, 'outside login linked');
  return linked;
}

async function register(deps: ResolveDependencies, profile: OAuthProfile): Promise<User> {
  const email = requireVerifiedEmail(profile);
  if (!deps.registrationOpen) {
    throw new AppError('FORBIDDEN', { publicMessage: 'Registration is closed.' });
  }
  const now = deps.clock.now();
  const displayName = parseDisplayName(profile.displayName.slice(0, 100), email);
  const account = newAccount(
    { id: createId('account'), name: displayName, plan: DEFAULT_PLAN },
    now,
  );
  const user: User = {
    id: ownerIdOf(account.id),
    email,
    emailProven: true,
    displayName,
    role: 'owner',
    status: 'active',
    accountId: account.id,
    passwordHash: undefined,
    identities: [{ issuer: profile.issuer, subject: profile.subject }],
    createdAt: now,
    rev: 1,
  };
  await deps.accounts.insert(account);
  if ((await deps.users.insert(user)) === 'inserted') return user;
  // A parallel login of the same person was faster.
  await deps.accounts.remove(account.id);
  const other = await deps.users.findByIdentity(profile);
  if (other === undefined) throw new AppError('CONFLICT');
  return other;
}
