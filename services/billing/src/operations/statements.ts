import { AppError } from '@tollgate/core';
import { createWakeup, forEachConcurrently, NOTHING_FOUND, type Wakeup } from '@tollgate/jobs';
import { retryContended } from '@tollgate/mongo';
import type { LedgerEntry } from '../domain/ledger-entry';
import type { StatementStore } from '../domain/ports';
import { beginsNext, openStatement, type Statement, withEntries } from '../domain/statements';
import type { ListLedgerOperation } from './ledger';

/** The months of an account's ledger. */
export interface StatementOperations {
  /** Newest first, the running month among them. */
  list(accountId: string): Promise<readonly Statement[]>;
  /** Rejects with NOT_FOUND for a month without an entry. */
  get(accountId: string, month: string): Promise<Statement>;
  /** Reads what was too much for a request; only the replica that was asked knows of it. */
  catchUp(signal: AbortSignal): Promise<typeof NOTHING_FOUND | undefined>;
  /** There is something to catch up with. */
  readonly behind: Wakeup;
}

interface Dependencies {
  readonly statements: StatementStore;
  readonly listLedger: ListLedgerOperation;
}

/** How far a ledger is in its statements. */
interface Progress {
  readonly readSeq: number;
  readonly lastSeq: number;
  /** The end of the ledger was reached. */
  readonly isWhole: boolean;
}

const PAGE = 1000;
/** What one request reads of a ledger; of a longer one the job reads the rest. */
const PAGES_PER_REQUEST = 10;
/** What the job reads of one before it looks who else waits. */
const PAGES_PER_ROUND = 100;
const ACCOUNTS_AT_ONCE = 2;
/** Of further ones each request reads its pages, and the next goes on from there. */
const ACCOUNTS_WAITING_MAX = 1_000;

/**
 * Statements are summed up once and kept, each request reading only what was added since: the
 * ledger of years is never read again for the month that runs. Where that is more than a request may
 * wait for, the replica goes on by itself, and whoever asks meanwhile is told how far it is.
 */
export function createStatementOperations(deps: Dependencies): StatementOperations {
  const { statements } = deps;
  const waiting = new Map<string, Progress>();
  const behind = createWakeup();

  const readAll = async (accountId: string): Promise<void> => {
    const known = waiting.get(accountId);
    if (known !== undefined) throw notReady(known);
    const progress = await readPages(deps, accountId, PAGES_PER_REQUEST);
    if (progress.isWhole) return;
    if (waiting.size < ACCOUNTS_WAITING_MAX) {
      waiting.set(accountId, progress);
      behind.wake();
    }
    throw notReady(progress);
  };

  const goOn = async (accountId: string, signal: AbortSignal): Promise<void> => {
    try {
      const progress = await readPages(deps, accountId, PAGES_PER_ROUND, signal);
      if (progress.isWhole) waiting.delete(accountId);
      else waiting.set(accountId, progress);
    } catch (error) {
      // It holds up none of the others, and comes again with the next request.
      waiting.delete(accountId);
      throw error;
    }
  };

  return {
    async list(accountId) {
      await readAll(accountId);
      return statements.list(accountId);
    },
    async get(accountId, month) {
      await readAll(accountId);
      const found = await statements.find(accountId, month);
      if (found !== undefined) return found;
      throw new AppError('NOT_FOUND', { publicMessage: 'Nothing was posted in this month.' });
    },
    behind,
    async catchUp(signal) {
      if (waiting.size === 0) return NOTHING_FOUND;
      const atOnce = { atOnceMax: ACCOUNTS_AT_ONCE, signal };
      await forEachConcurrently([...waiting.keys()], atOnce, (id) => goOn(id, signal));
      return undefined;
    },
  };
}

/** Reads on where the statements end, as far as the pages go. */
async function readPages(
  deps: Dependencies,
  accountId: string,
  pagesMax: number,
  signal?: AbortSignal,
): Promise<Progress> {
  const readOne = () =>
    retryContended(() => readPage(deps, accountId), { failure: () => notReady(undefined) });
  let progress = await readOne();
  for (let page = 1; page < pagesMax && !progress.isWhole; page += 1) {
    if (signal?.aborted) break;
    progress = await readOne();
  }
  return progress;
}

/** Undefined when somebody else was faster. */
async function readPage(
  { statements, listLedger }: Dependencies,
  accountId: string,
): Promise<Progress | undefined> {
  const newest = await statements.newest(accountId);
  const afterSeq = newest?.throughSeq ?? 0;
  const { entries, lastSeq } = await listLedger(accountId, { afterSeq }, PAGE);
  if (lastSeq < afterSeq) {
    // The ledger was restored to an earlier time: other entries will have these sequences.
    await statements.dropBeyond(accountId, lastSeq);
    return { readSeq: lastSeq, lastSeq, isWhole: false };
  }
  for (const { statement, fromSeq } of statementsOf(entries, newest)) {
    if (!(await statements.keep(statement, fromSeq))) return undefined;
  }
  return { readSeq: entries.at(-1)?.seq ?? afterSeq, lastSeq, isWhole: entries.length < PAGE };
}

/** What comes of the newest statement, and those that follow it. */
function statementsOf(entries: readonly LedgerEntry[], newest: Statement | undefined) {
  const written: { readonly statement: Statement; readonly fromSeq: number | undefined }[] = [];
  let statement = newest;
  let fromSeq = newest?.throughSeq;
  let month: LedgerEntry[] = [];
  const close = () => {
    if (statement === undefined || month.length === 0) return;
    statement = withEntries(statement, month);
    written.push({ statement, fromSeq });
    month = [];
  };
  for (const entry of entries) {
    if (statement === undefined || beginsNext(statement, entry)) {
      close();
      statement = openStatement(entry, statement);
      fromSeq = undefined;
    }
    month.push(entry);
  }
  close();
  return written;
}

/** Entries that are read in a millisecond, roughly: it only tells when to ask again. */
const ENTRIES_PER_MS = 10;
const RETRY_MS_MAX = 60_000;

function notReady(progress: Progress | undefined): AppError {
  const { readSeq = 0, lastSeq = 0 } = progress ?? {};
  const leftMs = (lastSeq - readSeq) / ENTRIES_PER_MS;
  const soFar = lastSeq === 0 ? '' : `: ${readSeq} of ${lastSeq} entries are read`;
  return new AppError('SERVICE_UNAVAILABLE', {
    publicMessage: `The statements of this account are being made${soFar}. Please ask again.`,
    retryAfterMs: Math.min(RETRY_MS_MAX, Math.max(1000, Math.round(leftMs))),
  });
}
