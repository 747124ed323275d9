import {
  AppError,
  type BearerFault,
  hasApiKeyPrefix,
  invalid,
  isId,
  parseApiKey,
} from '@tollgate/core';
import type { ApiKey } from '../domain/api-key';
import {
  keyFaultOf,
  matchSecret,
  type PresentedKey,
  type Principal,
  principalOf,
} from '../domain/principal';
import type { Dependencies } from './dependencies';

/** The questions of gateways about presented keys, and their reports of use. */
export function createKeyVerification(deps: Dependencies) {
  return {
    verifyApiKey: (text: string) => verifyApiKey(deps, text),
    reportKeyUses: (uses: readonly KeyUse[]) => reportKeyUses(deps, uses),
  };
}

export interface VerifiedKey {
  readonly principal: Principal;
  /** The revision of the principal log at which this held. */
  readonly revision: bigint;
}

/** The one error of every key that is not taken; why is for operators alone. */
export class KeyRefusedError extends AppError {
  readonly fault: BearerFault;
  /** Undefined when no key is known by what was presented. */
  readonly key: ApiKey | undefined;

  constructor(fault: BearerFault, key?: ApiKey) {
    super('UNAUTHORIZED');
    this.fault = fault;
    this.key = key;
  }
}

/** Resolves a presented key; throws KeyRefusedError. */
async function verifyApiKey(deps: Dependencies, text: string): Promise<VerifiedKey> {
  const { clock, digester, accounts, users, principalLog, lastUse } = deps;
  // Read first: a change after this point has a higher revision and reaches the gateway's cache.
  const revision = principalLog.revision();
  const found = await findPresented(deps, text);
  if (found === undefined) throw new KeyRefusedError(isWellFormed(text) ? 'unknown' : 'malformed');
  const { key, presented } = found;
  const now = clock.now();
  const secret = matchSecret(key, presented, digester, now);
  if (secret === undefined) {
    throw new KeyRefusedError(keyFaultOf(key, presented, digester, now), key);
  }
  const [account, creator] = await Promise.all([
    accounts.find(key.accountId),
    key.createdBy === undefined ? undefined : users.find(key.createdBy),
  ]);
  const principal = account && principalOf(key, account, creator, secret);
  if (principal === undefined) throw new KeyRefusedError('owner_gone', key);
  lastUse.record(key.id, now);
  return { principal, revision };
}

const LEGACY_SHAPE = /^[\u0021-\u007e]{16,512}$/;

/** The record that the text could belong to; whether its secret fits is not decided here. */
async function findPresented(
  { keys, digester }: Dependencies,
  text: string,
): Promise<{ readonly key: ApiKey; readonly presented: PresentedKey } | undefined> {
  if (hasApiKeyPrefix(text)) {
    const presented = parseApiKey(text);
    const key = presented && (await keys.findByPublicId(presented.publicId));
    return key && presented ? { key, presented } : undefined;
  }
  if (!LEGACY_SHAPE.test(text)) return undefined;
  const presented = { legacyDigests: digester.legacyCandidates(text) };
  const key = await keys.findByLegacyDigest(presented.legacyDigests);
  return key && { key, presented };
}

function isWellFormed(text: string): boolean {
  return hasApiKeyPrefix(text) ? parseApiKey(text) !== undefined : LEGACY_SHAPE.test(text);
}

export interface KeyUse {
  readonly keyId: string;
  readonly atMs: number;
}

const USES_MAX = 1000;

/** Records which keys a gateway saw: about the keys in its cache it does not ask. */
async function reportKeyUses(
  { clock, lastUse }: Dependencies,
  uses: readonly KeyUse[],
): Promise<void> {
  if (uses.length > USES_MAX) throw invalid('uses', `uses has more than ${USES_MAX} members.`);
  const now = clock.now();
  for (const { keyId, atMs } of uses) {
    // A gateway's clock may be ahead: no use is later than now.
    if (isId('apiKey', keyId)) lastUse.record(keyId, Math.min(atMs, now));
  }
}
