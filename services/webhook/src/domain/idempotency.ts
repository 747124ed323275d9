/** The Idempotency-Key of a request; the key is empty when the caller sent none. */
export interface Idempotency {
  readonly key: string;
  /** SHA-256 of the canonical body, hex. */
  readonly bodyDigest: string;
}

/** How long a key is remembered, milliseconds. */
export const IDEMPOTENCY_LIFETIME_MS = 24 * 60 * 60 * 1_000;

/**
 * How long a claim whose effect has not appeared counts as running, milliseconds. Longer than any
 * call's deadline: afterwards its process is gone, and a repeated request may finish the work.
 */
export const IDEMPOTENCY_RUNNING_MS = 30_000;

/** A claim names the effect before it happens, so that doing it twice is impossible. */
export interface IdempotencyClaim {
  /** The scope (an account) and the caller's key. */
  readonly id: string;
  /** The operation and the body, as one digest. */
  readonly digest: string;
  /** The id of what is made, chosen by the first request. */
  readonly effectId: string;
  readonly claimedAtMs: number;
  readonly expiresAtMs: number;
}

/** What an attempt to claim found. */
export type ClaimOutcome =
  | { readonly state: 'claimed'; readonly effectId: string }
  | { readonly state: 'mismatch' }
  | { readonly state: 'running' }
  | { readonly state: 'answered'; readonly answer: object };
