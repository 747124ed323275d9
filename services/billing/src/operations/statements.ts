import { AppError } from '@tollgate/core';
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
}

interface Dependencies {
  readonly statements: StatementStore;
  readonly listLedger: ListLedgerOperation;
}

const PAGE = 1000;
/** What one request reads of a ledger; the next one goes on from there. */
const PAGES_MAX = 40;

/**
 * Statements are summed up once and kept, each request reading only what was posted since: the
 * ledger of years is never read again for the month that runs.
 */
export function createStatementOperations(deps: Dependencies): StatementOperations {
  const { statements } = deps;
  return {
    async list(accountId) {
      await catchUp(deps, accountId);
      return [...(await statements.list(accountId))].reverse();
    },
    async get(accountId, month) {
      await catchUp(deps, accountId);
      const found = await statements.find(accountId, month);
      if (found !== undefined) return found;
      throw new AppError('NOT_FOUND', { publicMessage: 'Nothing was posted in this month.' });
    },
  };
}

async function catchUp(deps: Dependencies, accountId: string): Promise<void> {
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const isLast = await retryContended(() => readPage(deps, accountId), { failure: notReady });
    if (isLast) return;
  }
  throw notReady();
}

/** True when the end of the ledger was reached; undefined when somebody else was faster. */
async function readPage(
  { statements, listLedger }: Dependencies,
  accountId: string,
): Promise<boolean | undefined> {
  const newest = await statements.newest(accountId);
  const afterSeq = newest?.throughSeq ?? 0;
  const { entries, lastSeq } = await listLedger(accountId, { afterSeq }, PAGE);
  if (lastSeq < afterSeq) {
    // The ledger was restored to an earlier time: other entries will have these sequences.
    await statements.dropBeyond(accountId, lastSeq);
    return false;
  }
  for (const { statement, fromSeq } of statementsOf(entries, newest)) {
    if (!(await statements.keep(statement, fromSeq))) return undefined;
  }
  return entries.length < PAGE;
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

function notReady(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    publicMessage: 'The statements of this account are being made. Please ask again.',
    retryAfterMs: 1000,
  });
}
