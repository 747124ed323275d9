import {
  AMOUNT,
  AS_IS,
  COUNT,
  codecOf,
  eachOf,
  type MongoStore,
  named,
  type RecordForm,
  recordsOf,
} from '@tollgate/mongo';
import type { StatementStore } from '../domain/ports';
import type { Statement, StatementLine } from '../domain/statements';
import { COLLECTIONS } from './collections';

const LINE = {
  model: AS_IS,
  keyId: named('key_id'),
  requests: COUNT,
  promptTokens: { ...named('prompt_tokens'), ...COUNT },
  completionTokens: { ...named('completion_tokens'), ...COUNT },
  amount: AMOUNT,
} satisfies RecordForm<StatementLine>;

const STATEMENT = {
  accountId: named('account_id'),
  month: AS_IS,
  opening: AMOUNT,
  credits: AMOUNT,
  adjustments: AMOUNT,
  charges: AMOUNT,
  closing: AMOUNT,
  lines: { codec: eachOf(codecOf<StatementLine, typeof LINE>(LINE)) },
  throughSeq: { ...named('through_seq'), ...COUNT },
} satisfies RecordForm<Statement>;

/** A thousand months are more than any account has. */
const MONTHS_MAX = 1000;

function idOf(accountId: string, month: string): string {
  return `${accountId}:${month}`;
}

/** Statements in the document store, a document for each month. */
export function createStatementStore(mongo: MongoStore): StatementStore {
  const statements = recordsOf<Statement, typeof STATEMENT, { readonly _id: string }>(
    mongo,
    COLLECTIONS.statements,
    STATEMENT,
    ({ accountId, month }) => ({ _id: idOf(accountId, month) }),
  );
  const newestFirst = (accountId: string, limit: number) =>
    statements.list({ account_id: accountId }, { sort: { month: -1 }, limit });
  return {
    list: (accountId) => newestFirst(accountId, MONTHS_MAX),
    newest: async (accountId) => (await newestFirst(accountId, 1))[0],
    find: (accountId, month) => statements.find({ _id: idOf(accountId, month) }),
    keep(statement, fromSeq) {
      if (fromSeq === undefined) return statements.insert(statement);
      const { accountId, month } = statement;
      return statements.replace({ _id: idOf(accountId, month), through_seq: fromSeq }, statement);
    },
    dropBeyond: (accountId, seq) =>
      statements.removeMany({ account_id: accountId, through_seq: { $gt: seq } }),
  };
}
