import type { IdPage } from './ports';

/** An account that is erased, and how far its ledger is done. */
export interface Erasure {
  readonly accountId: string;
  /** When billing heard of it last, milliseconds since the epoch. */
  readonly toldAt: number;
  /** Up to this entry of the ledger every text is emptied. */
  readonly throughSeq: number;
}

/**
 * What billing removes of erased accounts. Texts go: the notes of credits and claims, the clients'
 * own request ids, the words of vendors, and kept answers. Amounts, counts and ids stay, so that the
 * books are what they were. Every call may be repeated.
 */
export interface ErasureStore {
  /** From now on it is among the open ones; the ledger goes on from where it was. */
  begin(accountId: string, toldAt: number): Promise<void>;
  /** By account. */
  listOpen(page: IdPage): Promise<readonly Erasure[]>;
  /** Empties the texts of the entries after the first sequence, up to and including the second. */
  blankEntries(accountId: string, afterSeq: number, throughSeq: number): Promise<void>;
  noteProgress(accountId: string, throughSeq: number): Promise<void>;
  blankClaims(accountId: string): Promise<void>;
  /** Requests that are kept for their answers, and the answers. */
  removeAnswers(accountId: string): Promise<void>;
  /** Nothing can come any more, unless it was begun again since. */
  end(erasure: Erasure): Promise<void>;
}
