import type { billingV1 } from '@tollgate/protos';
import { z } from 'zod';
import type { Principal } from '../../auth/principal';
import { CSV_TYPE, HTML_TYPE } from '../../http/content-types';
import { toAmount } from '../../money/amounts';
import { toActor } from '../asking/actor';
import { orUndefined } from '../asking/partial-answer';
import { required } from '../asking/required';
import { operation, type Services } from '../operation';
import { answerOf } from '../payloads/answer-of';
import { everyPage } from '../payloads/paging';
import {
  type KeyNames,
  lineSchema,
  type StatementLine,
  statementSchema,
  type WholeStatement,
  wholeSchema,
} from './statement';
import { toStatementCsv } from './statement-csv';
import { PAGE_POLICY, toStatementHtml } from './statement-page';

export const listStatements = operation(
  {
    summary: 'List the monthly statements, newest first, the running month among them',
    data: z.object({ items: z.array(statementSchema) }),
  },
  async ({ principal }, { billing }) => {
    const { accountId } = principal;
    const { statements } = await billing.listStatements({ accountId });
    return { data: { items: statements.map(toStatement) } };
  },
);

export const getStatement = operation(
  {
    summary: 'Get the statement of a month, as JSON, as a table or as a page to print',
    params: z.object({
      month: z
        .string()
        .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month such as 2026-01.')
        .meta({ example: '2026-01' }),
    }),
    query: z.strictObject({ format: z.enum(['json', 'csv', 'html']).default('json') }),
    data: wholeSchema,
    text: ['text/csv', 'text/html'],
  },
  async ({ principal, params, query, context }, services) => {
    const { accountId, accountName } = principal;
    const { month } = params;
    const { statement } = await services.billing.getStatement({ accountId, month });
    const whole = toWhole(required(statement));
    if (query.format === 'json') return { data: whole };
    // Money without names is better than none.
    const names =
      (await orUndefined(() => readKeyNames(whole.lines, principal, services))) ??
      new Map<string, string>();
    switch (query.format) {
      case 'csv':
        return { text: toStatementCsv(whole, names), contentType: CSV_TYPE };
      case 'html':
        context.exchange.headers['Content-Security-Policy'] = PAGE_POLICY;
        return {
          text: toStatementHtml(whole, { accountName, names, issuedAtMs: services.clock.now() }),
          contentType: HTML_TYPE,
        };
    }
  },
);

/** Pages of all the keys that an account may have by default; beyond them keys go by their ids. */
const KEY_PAGES_MAX = 5;

/** The names of the keys in the lines, as far as they still exist and whoever asks may list them. */
async function readKeyNames(
  lines: readonly StatementLine[],
  principal: Principal,
  { identity }: Pick<Services, 'identity'>,
): Promise<KeyNames> {
  const names = new Map<string, string>();
  if (principal.kind === 'api_key' && !principal.scopes.has('keys')) return names;
  const sought = new Set(lines.map(({ key_id }) => key_id ?? ''));
  sought.delete('');
  if (sought.size === 0) return names;
  const actor = toActor(principal);
  let pages = 0;
  for await (const { apiKeys } of everyPage((page) => identity.listApiKeys({ actor, ...page }))) {
    for (const { id, name } of apiKeys) if (sought.delete(id)) names.set(id, name);
    pages += 1;
    if (pages === KEY_PAGES_MAX || sought.size === 0) break;
  }
  return names;
}

function toStatement(statement: billingV1.Statement__Output): z.infer<typeof statementSchema> {
  const { month, currency, requests } = statement;
  return {
    month,
    currency,
    requests,
    opening_balance: toAmount(statement.opening),
    credits: toAmount(statement.credits),
    adjustments: toAmount(statement.adjustments),
    charges: toAmount(statement.charges),
    closing_balance: toAmount(statement.closing),
  };
}

function toWhole(statement: billingV1.Statement__Output): WholeStatement {
  const dearestFirst = [...statement.lines].sort((a, b) =>
    Number(BigInt(b.amount) - BigInt(a.amount)),
  );
  return {
    ...toStatement(statement),
    lines: dearestFirst.map((line) => answerOf(lineSchema, line, {})),
  };
}
