/** Where the answers of announced requests are kept. */
export interface KeptAnswers {
  /** Keeps an encoded KeptAnswer; an empty one says that it was too large. */
  keep(accountId: string, requestId: string, answer: Buffer): Promise<void>;
  /** Forgets a request that failed and was charged nothing. */
  drop(accountId: string, requestId: string): Promise<void>;
}

/** Larger answers are given once and not kept. */
export const KEPT_ANSWER_BYTES_MAX = 1024 * 1024;

/** Kept in place of an answer: a repetition is told that there was one. */
export const NOTHING_KEPT = Buffer.alloc(0);

/**
 * What the log says when it was not done. Its client has the answer or an error anyway; whoever
 * repeats the request is told that its answer was not kept, or that its key is still taken.
 */
export const NOT_DONE: Readonly<Record<keyof KeptAnswers, string>> = {
  keep: 'an answer was not kept',
  drop: 'a request that failed was not forgotten',
};
