/** Where the answers of announced requests are kept. */
export interface AnswerKeeper {
  /** Keeps an encoded KeptAnswer; an empty one says that it was too large. */
  keepAnswer(accountId: string, requestId: string, answer: Buffer): Promise<void>;
  /** Forgets a request that failed and was charged nothing. */
  dropAnswer(accountId: string, requestId: string): Promise<void>;
}
