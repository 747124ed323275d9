import { hash, randomBytes } from 'node:crypto';
import { AppError, type Clock, createBoundedMap, createSharedWork } from '@tollgate/core';
import { type BearerFaultDetails, BearerRefusedError, refusalOfBearer } from './bearer';
import type { Principal } from './principal';

/** Identity's answer about a presented key. */
export interface VerifiedKey {
  readonly principal: Principal;
  /** Revision of the revocation stream at which the answer held. */
  readonly revision: bigint;
}

/** Asks identity; rejects with UNAUTHORIZED, best a BearerRefusedError, for what is no live key. */
export type KeyVerifier = (secret: string) => Promise<VerifiedKey>;

/** Bounds of the cache. */
export interface PrincipalCacheOptions {
  readonly entriesMax: number;
  /** How long a refused secret is refused without asking again, milliseconds, if nothing changes. */
  readonly negativeTtlMs: number;
  /** How long principals are used while the revocation stream is silent, milliseconds. */
  readonly stalenessMs: number;
  /** Questions to identity that may run at once; beyond them unknown secrets get 503. */
  readonly verificationsMax: number;
  readonly clock: Clock;
  readonly verify: KeyVerifier;
}

/** One change that identity pushed: a key, everything of an account, or a user's sessions. */
export interface Revocation {
  readonly keyId: string;
  readonly accountId: string;
  readonly userId: string;
}

/** Principals by presented secret. Secrets themselves are not kept, only their keyed digests. */
export interface PrincipalCache {
  /** The digest that a secret is known by; good as long as the cache. */
  digestOf(secret: string): string;
  /**
   * Returns the principal at once when it is known. Throws or rejects with UNAUTHORIZED or
   * SERVICE_UNAVAILABLE.
   */
  resolve(secret: string, digest?: string): Principal | Promise<Principal>;
  /** Applies a frame of the revocation stream. */
  applyRevocations(revision: bigint, changes: readonly Revocation[], reset: boolean): void;
  /** Says whether the revocation stream delivers. */
  setConnected(connected: boolean): void;
  readonly size: number;
}

interface Entry {
  readonly principal: Principal;
  readonly verifiedMonotonicMs: number;
}

interface RefusedEntry {
  readonly details: BearerFaultDetails;
  readonly untilMs: number;
}

const KEY_BYTES = 32;

/**
 * Digests of secrets under a key that is new in every process, so that a dump of the cache says
 * nothing elsewhere. A digest never leaves the process and proves nothing: a keyed prefix is enough
 * for a look-up, at a fifth of what an HMAC costs on every request.
 */
function createDigest(): (secret: string) => string {
  const key = randomBytes(KEY_BYTES).toString('hex');
  return (secret) => hash('sha256', key + secret, 'base64');
}

/** An empty cache; until the stream is heard, principals are trusted for the staleness alone. */
export function createPrincipalCache(options: PrincipalCacheOptions): PrincipalCache {
  const { clock } = options;
  const digestOf = createDigest();
  const entries = createBoundedMap<string, Entry>(options.entriesMax);
  // Apart from the good ones, so that a flood of made-up secrets pushes out none of those.
  const refused = createBoundedMap<string, RefusedEntry>(options.entriesMax);
  const running = createSharedWork<Principal>();
  let connected = false;
  let lastHeardMs = Number.NEGATIVE_INFINITY;
  let appliedRevision = 0n;
  // Counts frames with changes, so that a refusal that was under way meanwhile is not kept.
  let changesSeen = 0;

  const isTrusted = (verifiedMonotonicMs: number): boolean => {
    if (connected) return true;
    const knownMonotonicMs = Math.max(lastHeardMs, verifiedMonotonicMs);
    return clock.monotonicMs() - knownMonotonicMs < options.stalenessMs;
  };
  const ask = async (digest: string, secret: string): Promise<Principal> => {
    const seen = changesSeen;
    try {
      const { principal, revision } = await options.verify(secret);
      // An answer older than what the stream already said could bring a revoked key back.
      if (revision >= appliedRevision) {
        entries.set(digest, { principal, verifiedMonotonicMs: clock.monotonicMs() });
      }
      return principal;
    } catch (error) {
      if (error instanceof AppError && error.code === 'UNAUTHORIZED') {
        // Every refused bearer gets the same sentence, so that nothing can be learned from it.
        const refusal =
          error instanceof BearerRefusedError ? error : refusalOfBearer('unknown', secret);
        const { details } = refusal;
        if (seen === changesSeen) {
          refused.set(digest, { details, untilMs: clock.monotonicMs() + options.negativeTtlMs });
        }
        throw refusal;
      }
      throw new AppError('SERVICE_UNAVAILABLE', { cause: error });
    }
  };

  return {
    digestOf,
    resolve(secret, digest = digestOf(secret)) {
      const entry = entries.get(digest);
      if (entry !== undefined && isTrusted(entry.verifiedMonotonicMs)) return entry.principal;
      const refusal = refused.get(digest);
      if (refusal !== undefined && clock.monotonicMs() < refusal.untilMs) {
        throw new BearerRefusedError(refusal.details);
      }
      if (!running.has(digest) && running.size >= options.verificationsMax) {
        throw new AppError('SERVICE_UNAVAILABLE', {
          internalMessage: 'too many keys are being verified',
        });
      }
      return running.run(digest, () => ask(digest, secret));
    },
    applyRevocations(revision, changes, reset) {
      lastHeardMs = clock.monotonicMs();
      appliedRevision = revision;
      if (!reset && changes.length === 0) return;
      changesSeen += 1;
      // A refusal does not say whose key it was: any change may have brought that one back.
      refused.clear();
      if (reset) entries.clear();
      else evict(entries, changes);
    },
    setConnected(value) {
      connected = value;
    },
    get size() {
      return entries.size;
    },
  };
}

/** Walks the whole cache once per frame that has changes: changes are rare, look-ups are not. */
function evict(
  entries: {
    entries(): IterableIterator<[string, Entry]>;
    delete(key: string): boolean;
  },
  changes: readonly Revocation[],
): void {
  const keys = new Set(changes.map((change) => change.keyId).filter((id) => id !== ''));
  const accounts = new Set(changes.map((change) => change.accountId).filter((id) => id !== ''));
  for (const [digest, { principal }] of [...entries.entries()]) {
    const byKey = keys.has(principal.keyId);
    if (byKey || accounts.has(principal.accountId)) entries.delete(digest);
  }
}
