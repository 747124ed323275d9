/** A claim names the effect before it happens, so that doing it twice is impossible. */
export interface IdempotencyClaim {
  /** A digest of the caller and its key. */
  readonly id: string;
  /** A digest of the operation and the body. */
  readonly digest: string;
  /** The id of what is made, chosen by the first request. */
  readonly effectId: string;
  /** When a request last began the work. */
  readonly claimedAtMs: number;
  /** How long from then nobody else may finish it. */
  readonly runningMsMax: number;
  readonly expiresAtMs: number;
}

/** A claim as it is found again: how long its work may take is known to every request for it. */
export interface KeptClaim extends Omit<IdempotencyClaim, 'runningMsMax'> {
  /** Absent until the work is done. */
  readonly answer?: object;
}

/** Where claims are kept until they expire. It decides nothing; its writes are durable. */
export interface IdempotencyStore {
  /** False when a claim with its id is kept already. */
  insert(claim: IdempotencyClaim): Promise<boolean>;
  /** Also one whose time is over. */
  find(claimId: string): Promise<KeptClaim | undefined>;
  /**
   * Puts `next` in the place of `seen`; false when another request was faster. An answer goes with
   * the effect that it belongs to.
   */
  replace(seen: KeptClaim, next: IdempotencyClaim): Promise<boolean>;
  /** Keeps what the effect's request was answered. */
  answer(claimId: string, answer: object): Promise<void>;
  /** Forgets a claim whose effect was refused, so that a corrected request may use the key. */
  release(claimId: string, effectId: string): Promise<void>;
  /** Keeps a claim whose effect is uncertain as one of long ago: anybody may finish the work. */
  abandon(claimId: string, effectId: string): Promise<void>;
}
