import type { BearerFault, ParsedKey } from '@tollgate/core';
import { type Account, type AccountStatus, type AccountTerms, hasErasureBegun } from './account';
import type { Role } from './actor';
import type { ApiKey } from './api-key';
import { keyStatusOf, LEGACY_KEY_ROLE } from './api-key';
import type { KeyDigester } from './key-digest';
import type { KeySettings } from './key-settings';
import type { User } from './user';

/**
 * Everything that a gateway needs to admit a request without asking again: who asks, and the
 * settings of the key. It expires when the presented secret stops working.
 */
export interface Principal extends Omit<KeySettings, 'name' | 'disabled' | 'metadata'> {
  readonly accountId: string;
  readonly accountName: string;
  readonly accountStatus: AccountStatus;
  readonly plan: string;
  readonly keyId: string;
  readonly userId: string;
  readonly operator: boolean;
  readonly role: Role;
  /** Channel groups of the account, which the key's pools narrow. */
  readonly grantedGroups: readonly string[];
  readonly accountTerms: AccountTerms;
}

/** The key of a request: one of today's shape, or digests of a legacy one. */
export type PresentedKey = ParsedKey | { readonly legacyDigests: readonly string[] };

/** A presented secret that belongs to the key, and when it stops working if it does. */
export interface MatchedSecret {
  readonly expiresAt: number | undefined;
}

/** Finds what is presented among the record's secrets; undefined when none of them works. */
export function matchSecret(
  key: ApiKey,
  presented: PresentedKey,
  digester: KeyDigester,
  now: number,
): MatchedSecret | undefined {
  if (keyStatusOf(key, now) !== 'active') return undefined;
  const { digest, previousDigest, legacyDigest, previousExpiresAt } = key;
  const { expiresAt } = key.settings;
  const present: MatchedSecret = { expiresAt };
  const previous: MatchedSecret | undefined =
    previousExpiresAt !== undefined && previousExpiresAt > now
      ? { expiresAt: Math.min(previousExpiresAt, expiresAt ?? previousExpiresAt) }
      : undefined;
  if ('legacyDigests' in presented) {
    if (legacyDigest === undefined || !presented.legacyDigests.includes(legacyDigest)) {
      return undefined;
    }
    return digest === undefined ? present : previous;
  }
  // Both comparisons always run, so that the time does not tell which secret was nearly right.
  const isPresent = digest !== undefined && digester.matches(digest, presented.text);
  const isPrevious =
    previousDigest !== undefined && digester.matches(previousDigest, presented.text);
  if (isPresent) return present;
  return isPrevious ? previous : undefined;
}

/**
 * Of a key for which `matchSecret` found nothing. Its public id can be read in previews, so that
 * `revoked` is said only to whoever has one of its secrets as well.
 */
export function keyFaultOf(
  key: ApiKey,
  presented: PresentedKey,
  digester: KeyDigester,
  now: number,
): BearerFault {
  const { digest, previousDigest, legacyDigest, revokedAt } = key;
  const holdsOne =
    'legacyDigests' in presented
      ? legacyDigest !== undefined && presented.legacyDigests.includes(legacyDigest)
      : [digest, previousDigest].some(
          (each) => each !== undefined && digester.matches(each, presented.text),
        );
  if (!holdsOne) return 'wrong_secret';
  if (revokedAt !== undefined) return 'revoked';
  const status = keyStatusOf(key, now);
  // Of an active key it is a secret from before a rotation.
  return status === 'active' ? 'wrong_secret' : status;
}

/** Undefined for a key whose creator is gone or disabled, and of an erased account. */
export function principalOf(
  key: ApiKey,
  account: Account,
  creator: User | undefined,
  secret: MatchedSecret,
): Principal | undefined {
  const orphaned = key.createdBy !== undefined && creator?.status !== 'active';
  if (orphaned || account.id !== key.accountId || hasErasureBegun(account)) return undefined;
  const operator = creator?.role === 'operator';
  const { name, disabled, metadata, ...settings } = key.settings;
  return {
    ...settings,
    accountId: account.id,
    accountName: account.name,
    accountStatus: account.status,
    plan: account.plan,
    keyId: key.id,
    userId: creator?.id ?? '',
    operator,
    role: creator?.role ?? LEGACY_KEY_ROLE,
    // Someone who is no operator any more must not keep the operator's scope through an old key.
    scopes: operator ? settings.scopes : settings.scopes.filter((scope) => scope !== 'admin'),
    grantedGroups: account.groups,
    accountTerms: account.terms,
    expiresAt: secret.expiresAt,
  };
}
