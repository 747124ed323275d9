import type { billingV1 } from '@tollgate/protos';
import { z } from 'zod';
import { escapeHtml } from '../../pages/guide';
import { quote, toCsv } from '../csv';
import { operation } from '../operation';
import { amount, named, required, textOrNull, toAmount } from '../values';

const statementSchema = named('Statement', {
  month: z.string().meta({ example: '2026-01', description: 'UTC.' }),
  currency: z.string(),
  opening_balance: amount,
  credits: amount,
  adjustments: amount.meta({ description: 'Below 0 when more was taken back than given.' }),
  charges: amount,
  closing_balance: amount.meta({
    description: 'opening_balance with credits and adjustments, less charges.',
  }),
  requests: z.int(),
});

const lineSchema = z.object({
  model: z.string().nullable().meta({ description: 'null where there is no room for more lines.' }),
  key_id: z.string().nullable(),
  requests: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  amount,
});

const wholeSchema = named('StatementWithLines', {
  ...statementSchema.shape,
  lines: z.array(lineSchema).meta({ description: 'By API key and model, the dearest first.' }),
});

type Whole = z.infer<typeof wholeSchema>;
type Line = z.infer<typeof lineSchema>;

export const listStatements = operation(
  {
    summary: 'List the monthly statements, newest first, the running month among them',
    data: z.object({ items: z.array(statementSchema) }),
  },
  async ({ principal, context }, { billing }) => {
    const { accountId } = principal;
    const { statements } = await billing.listStatements({ accountId }, context.rpc);
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
  async ({ principal, params, query, context }, { billing }) => {
    const { accountId, accountName } = principal;
    const { month } = params;
    const { statement } = await billing.getStatement({ accountId, month }, context.rpc);
    const whole = toWhole(required(statement));
    switch (query.format) {
      case 'json':
        return { data: whole };
      case 'csv':
        return { text: toTable(whole), contentType: 'text/csv; charset=utf-8' };
      case 'html':
        context.exchange.headers['Content-Security-Policy'] = PAGE_POLICY;
        return {
          text: toStatementHtml(whole, accountName),
          contentType: 'text/html; charset=utf-8',
        };
    }
  },
);

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

function toWhole(statement: billingV1.Statement__Output): Whole {
  const dearestFirst = [...statement.lines].sort((a, b) =>
    Number(BigInt(b.amount) - BigInt(a.amount)),
  );
  return { ...toStatement(statement), lines: dearestFirst.map(toLine) };
}

function toLine(line: billingV1.StatementLine__Output): Line {
  return {
    model: textOrNull(line.model),
    key_id: textOrNull(line.keyId),
    requests: line.requests,
    prompt_tokens: Number(line.promptTokens),
    completion_tokens: Number(line.completionTokens),
    amount: toAmount(line.amount),
  };
}

const SUMS = [
  ['opening balance', 'opening_balance'],
  ['credits', 'credits'],
  ['adjustments', 'adjustments'],
  ['charges', 'charges'],
  ['closing balance', 'closing_balance'],
] as const;

/** The sums first, each in a line of its own, then the lines of the charges. */
function toTable(statement: Whole): string {
  const empty = ['', '', '', '', ''];
  const [opening, credits, adjustments, charges, closing] = SUMS.map(([title, name]) => [
    statement.month,
    title,
    ...empty,
    statement[name],
    statement.currency,
  ]);
  const lines = statement.lines.map((line) => [
    statement.month,
    'charge',
    quote(line.model ?? 'other'),
    line.key_id ?? '',
    line.requests,
    line.prompt_tokens,
    line.completion_tokens,
    line.amount,
    statement.currency,
  ]);
  const header = [
    'month',
    'item',
    'model',
    'key_id',
    'requests',
    'prompt_tokens',
    'completion_tokens',
    'amount',
    'currency',
  ];
  const rows = [opening, credits, adjustments, ...lines, charges, closing];
  return toCsv([header, ...rows.filter((row) => row !== undefined)]);
}

const STYLE =
  'body{font:14px/1.5 system-ui,sans-serif;margin:2cm auto;max-width:18cm;padding:0 1em}' +
  'table{border-collapse:collapse;width:100%;margin:1.5em 0}' +
  'th,td{padding:.3em .6em;border-bottom:1px solid #ccc;text-align:left}' +
  // A name or an id of any length leaves room for the amounts beside it.
  'table+table{font-size:12px}td:not(.n){overflow-wrap:anywhere}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}' +
  'thead{display:table-header-group}tr{break-inside:avoid}@page{margin:2cm}' +
  '@media print{body{margin:0;max-width:none;padding:0}}';

const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'";

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const COUNT = new Intl.NumberFormat('en-US');

/** For people: with the minus that is no hyphen. */
function toWrittenAmount(amount: string): string {
  return amount.replace('-', '−');
}

/** A page that prints well; it loads nothing and runs nothing. */
function toStatementHtml(statement: Whole, accountName: string): string {
  const { currency, lines, month } = statement;
  const unit = escapeHtml(currency);
  const title = `${escapeHtml(accountName)}: statement of ${MONTH.format(Date.parse(month))}`;
  const sums = SUMS.map(
    ([name, member]) =>
      `<tr><th scope="row">${name.charAt(0).toUpperCase()}${name.slice(1)}</th>` +
      `<td class="n">${toWrittenAmount(statement[member])} ${unit}</td></tr>`,
  );
  const rows = lines.map(
    (line) =>
      `<tr><td>${escapeHtml(line.model ?? 'other')}</td><td>${escapeHtml(line.key_id ?? '')}</td>` +
      [line.requests, line.prompt_tokens, line.completion_tokens]
        .map((count) => COUNT.format(count))
        .concat(toWrittenAmount(line.amount))
        .map((value) => `<td class="n">${value}</td>`)
        .join('') +
      '</tr>',
  );
  const header =
    '<tr><th scope="col">Model</th><th scope="col">API key</th>' +
    ['Requests', 'Prompt tokens', 'Completion tokens', `Amount, ${unit}`]
      .map((name) => `<th scope="col" class="n">${name}</th>`)
      .join('') +
    '</tr>';
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>` +
    `<style>${STYLE}</style></head><body><h1>${title}</h1>` +
    `<table><tbody>${sums.join('')}</tbody></table>` +
    `<table><thead>${header}</thead><tbody>${rows.join('')}</tbody></table></body></html>\n`
  );
}
