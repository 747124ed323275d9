/** What a repeated request is recognised by. */
export interface Idempotency {
  /** The caller's account and its Idempotency-Key; empty when the caller sent none. */
  readonly key: string;
  /** SHA-256 of the canonical body, hex. */
  readonly bodyDigest: string;
}

/** Of work that nobody repeats. */
export const NO_KEY: Idempotency = { key: '', bodyDigest: '' };

/** How long a key is remembered, milliseconds. */
export const IDEMPOTENCY_LIFETIME_MS = 24 * 60 * 60 * 1000;

/**
 * How long a claim whose effect has not appeared counts as running, milliseconds. Longer than the
 * work can take: afterwards its process is gone, and a repeated request may finish the work.
 */
export const IDEMPOTENCY_RUNNING_MS = 30_000;

/** A claim names the effect before it happens, so that doing it twice is impossible. */
export interface IdempotencyClaim {
  /** A digest of the key. */
  readonly id: string;
  /** The operation and the body, as one digest. */
  readonly digest: string;
  /** The id of what is made, chosen by the first request. */
  readonly effectId: string;
  readonly claimedAtMs: number;
  /** Until when nobody else may finish the work. */
  readonly runsUntilMs: number;
  readonly expiresAtMs: number;
}

/** What an attempt to claim found. */
export type ClaimOutcome =
  | { readonly state: 'claimed'; readonly effectId: string }
  | { readonly state: 'mismatch' }
  | { readonly state: 'running' }
  | { readonly state: 'answered'; readonly answer: object };
