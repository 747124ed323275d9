import { AppError } from '@tollgate/core';
import type { ApiKey } from '../domain/api-key';
import { claimsKeyShape, type ParsedKey, parseKey } from '../domain/key-codec';
import { liveSecret, type Principal, principalOf } from '../domain/principal';
import type { Dependencies } from './dependencies';
import type { LastUseTracker } from './track-last-use';

export interface VerifiedKey {
  readonly principal: Principal;
  /** The revision of the principal log at which this held. */
  readonly revision: bigint;
}

const LEGACY_SHAPE = /^[\u0021-\u007e]{16,512}$/;

/**
 * Resolves a presented key. Missing, malformed, unknown, expired, disabled and revoked keys are
 * refused with one and the same error.
 */
export function createVerifyApiKey(
  deps: Pick<Dependencies, 'clock' | 'digester' | 'accounts' | 'users' | 'keys' | 'principals'> & {
    readonly lastUse: LastUseTracker;
  },
) {
  const { clock, digester, accounts, users, keys, principals, lastUse } = deps;

  const find = async (text: string): Promise<{ key: ApiKey; presented: Presented } | undefined> => {
    if (claimsKeyShape(text)) {
      const presented = parseKey(text);
      const key = presented && (await keys.findByPublicId(presented.publicId));
      return key && presented ? { key, presented } : undefined;
    }
    if (!LEGACY_SHAPE.test(text)) return undefined;
    const presented = { legacyDigests: digester.legacyCandidates(text) };
    const key = await keys.findByLegacyDigest(presented.legacyDigests);
    return key && { key, presented };
  };

  return async (text: string): Promise<VerifiedKey> => {
    // Read first: a change after this point has a higher revision and reaches the caller's cache.
    const revision = principals.revision();
    const found = await find(text);
    if (found === undefined) throw new AppError('UNAUTHORIZED');
    const { key, presented } = found;
    const now = clock.now();
    const secret = liveSecret(key, presented, digester, now);
    if (secret === undefined) throw new AppError('UNAUTHORIZED');
    const [account, creator] = await Promise.all([
      accounts.find(key.accountId),
      key.createdBy === undefined ? undefined : users.find(key.createdBy),
    ]);
    const principal = account && principalOf(key, account, creator, secret);
    if (principal === undefined) throw new AppError('UNAUTHORIZED');
    lastUse.note(key.id, now);
    return { principal, revision };
  };
}

type Presented = ParsedKey | { readonly legacyDigests: readonly string[] };
