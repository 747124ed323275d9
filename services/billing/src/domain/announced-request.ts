/** A request whose answer is kept for a day, so that it is given again and never made twice. */
export interface AnnouncedRequest {
  /** By what a repetition is found: a digest of account, key and Idempotency-Key, or its own id. */
  readonly id: string;
  readonly accountId: string;
  /** Whose answer it is. */
  readonly keyId: string;
  readonly requestId: string;
  /** Milliseconds since the epoch; afterwards nobody makes the answer any more. */
  readonly runsUntilAtMs: number;
  readonly expiresAtMs: number;
  /** Sealed: the digest by which equal requests are known, and in what form its answer is sent. */
  readonly request: string;
}

/**
 * An announced request and what became of it.
 *
 * ```
 *  announced ──▶ answered     its answer was kept
 *      │   └───▶ unanswered   it ended, and its answer was too large to be kept
 *      └───────▶ gone         it failed and was charged nothing, or a day has passed
 * ```
 */
export interface AnnouncedRequestState extends AnnouncedRequest {
  readonly ended: boolean;
  /** Sealed; undefined until there is one, and when none was kept. */
  readonly answer: string | undefined;
}
