import { nano } from '@tollgate/core';
import { documentsOf, type MongoStore } from '@tollgate/mongo';
import type { StatementStore } from '../domain/ports';
import type { Statement } from '../domain/statements';

export const STATEMENTS = 'billing_statements';

interface StatementDocument {
  readonly _id: string;
  readonly account_id: string;
  readonly month: string;
  readonly opening: bigint;
  readonly credits: bigint;
  readonly adjustments: bigint;
  readonly charges: bigint;
  readonly closing: bigint;
  readonly lines: readonly {
    readonly model: string;
    readonly key_id: string;
    readonly requests: number;
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly amount: bigint;
  }[];
  readonly through_seq: number;
}

function toDocument({ accountId, lines, throughSeq, ...sums }: Statement): StatementDocument {
  return {
    _id: `${accountId}:${sums.month}`,
    account_id: accountId,
    ...sums,
    lines: lines.map(({ keyId, promptTokens, completionTokens, ...line }) => ({
      ...line,
      key_id: keyId,
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
    })),
    through_seq: throughSeq,
  };
}

function fromDocument(document: StatementDocument): Statement {
  const { opening, credits, adjustments, charges, closing } = document;
  return {
    accountId: document.account_id,
    month: document.month,
    opening: nano(BigInt(opening)),
    credits: nano(BigInt(credits)),
    adjustments: nano(BigInt(adjustments)),
    charges: nano(BigInt(charges)),
    closing: nano(BigInt(closing)),
    lines: document.lines.map(({ key_id, prompt_tokens, completion_tokens, amount, ...line }) => ({
      ...line,
      keyId: key_id,
      requests: Number(line.requests),
      promptTokens: Number(prompt_tokens),
      completionTokens: Number(completion_tokens),
      amount: nano(BigInt(amount)),
    })),
    throughSeq: Number(document.through_seq),
  };
}

/** A thousand months are more than any account has. */
const MONTHS_MAX = 1000;

/** Statements in the document store, a document for each month. */
export function createStatementStore(mongo: MongoStore): StatementStore {
  const statements = documentsOf<StatementDocument>(mongo, STATEMENTS);
  const newestFirst = async (accountId: string, limit: number) => {
    const found = await statements.list({ account_id: accountId }, { sort: { month: -1 }, limit });
    return found.map(fromDocument);
  };
  return {
    list: async (accountId) => (await newestFirst(accountId, MONTHS_MAX)).reverse(),
    newest: async (accountId) => (await newestFirst(accountId, 1))[0],
    async find(accountId, month) {
      const found = await statements.find({ _id: `${accountId}:${month}` });
      return found && fromDocument(found);
    },
    keep(statement, fromSeq) {
      const { _id, ...$set } = toDocument(statement);
      if (fromSeq === undefined) return statements.insert({ _id, ...$set });
      return statements.update({ _id, through_seq: fromSeq }, { $set });
    },
    dropBeyond: (accountId, seq) =>
      statements.removeMany({ account_id: accountId, through_seq: { $gt: seq } }),
  };
}
