export const HOUR_MS = 60 * 60 * 1000;

/** A request whose answer is kept for a day, so that it is given again and never made twice. */
export interface AnnouncedRequest {
  /** By what a repetition is found: a digest of account, key and Idempotency-Key, or its own id. */
  readonly id: string;
  readonly accountId: string;
  /** Whose answer it is. */
  readonly keyId: string;
  readonly requestId: string;
  /** Milliseconds since the epoch; afterwards nobody makes the answer any more. */
  readonly runsUntil: number;
  readonly expiresAt: number;
  /** Sealed: the digest by which equal requests are known, and how the answer is written. */
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
export interface KeptRequest extends AnnouncedRequest {
  readonly ended: boolean;
  /** Sealed; undefined until there is one, and when none was kept. */
  readonly answer: string | undefined;
}

/** Where announced requests and their answers are kept. It decides nothing, and sees no text. */
export interface AnswerStore {
  /** False when a request with its id is kept already, or when it is refused. */
  insert(request: AnnouncedRequest): Promise<boolean>;
  /** Also one whose day is over. */
  find(id: string): Promise<KeptRequest | undefined>;
  findByRequest(accountId: string, requestId: string): Promise<KeptRequest | undefined>;
  /** Puts `next` in the place of `seen`; false when another request was faster. */
  replace(seen: KeptRequest, next: AnnouncedRequest): Promise<boolean>;
  /** Ends a request that has not ended, with its sealed answer or with none; false otherwise. */
  end(accountId: string, requestId: string, answer: string | undefined): Promise<boolean>;
  /** Forgets a request that has not ended; undefined when there is none. */
  drop(accountId: string, requestId: string): Promise<KeptRequest | undefined>;
  /** No request of this id is inserted before that time; false when one is there. */
  refuse(accountId: string, requestId: string, until: number): Promise<boolean>;
  /** Counts bytes that were kept for an account in an hour since the epoch; below 0 they are gone. */
  countBytes(accountId: string, hour: number, bytes: number): Promise<void>;
  /** The bytes that were counted from `hour` on. */
  bytesSince(accountId: string, hour: number): Promise<number>;
}
