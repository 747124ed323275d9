import { toIsoTime } from '@tollgate/core';
import type { billingV1 } from '@tollgate/protos';
import { z } from 'zod';
import type { Principal } from '../../auth/principal';
import { CSV_TYPE, HTML_TYPE } from '../../http/content-types';
import { escapeHtml } from '../../http/html';
import { amount, toAmount } from '../../money/amounts';
import { toActor } from '../actor';
import { answerOf } from '../answer-of';
import { quote, toCsv } from '../csv';
import { required } from '../messages';
import { operation, type Services } from '../operation';
import { everyPage } from '../paging';
import { orUndefined } from '../partial-answer';
import { named } from '../values';

const statementSchema = named('Statement', {
  month: z.string().meta({ example: '2026-01', description: 'UTC.' }),
  currency: z.string(),
  opening_balance: amount,
  credits: amount,
  adjustments: amount.describe('Below 0 when more was taken back than given.'),
  charges: amount,
  closing_balance: amount.describe('opening_balance with credits and adjustments, less charges.'),
  requests: z.int(),
});

const lineSchema = z.object({
  model: z.string().nullable().describe('null where there is no room for more lines.'),
  key_id: z.string().nullable(),
  requests: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  amount,
});

const wholeSchema = named('StatementWithLines', {
  ...statementSchema.shape,
  lines: z.array(lineSchema).describe('By model and API key, the dearest first.'),
});

type Whole = z.infer<typeof wholeSchema>;
type Line = z.infer<typeof lineSchema>;

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

type KeyNames = ReadonlyMap<string, string>;

/** Pages of all the keys that an account may have by default; beyond them keys go by their ids. */
const KEY_PAGES_MAX = 5;

/** The names of the keys in the lines, as far as they still exist and whoever asks may list them. */
async function readKeyNames(
  lines: readonly Line[],
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

function toWhole(statement: billingV1.Statement__Output): Whole {
  const dearestFirst = [...statement.lines].sort((a, b) =>
    Number(BigInt(b.amount) - BigInt(a.amount)),
  );
  return {
    ...toStatement(statement),
    lines: dearestFirst.map((line) => answerOf(lineSchema, line, {})),
  };
}

const SUMS = [
  ['opening balance', 'opening_balance'],
  ['credits', 'credits'],
  ['adjustments', 'adjustments'],
  ['charges', 'charges'],
  ['closing balance', 'closing_balance'],
] as const;

/**
 * The sums first, each in a line of its own, then the lines of the charges. Columns that came later
 * stand at the end.
 */
function toStatementCsv(statement: Whole, names: KeyNames): string {
  const empty = ['', '', '', '', ''];
  const [opening, credits, adjustments, charges, closing] = SUMS.map(([title, name]) => [
    statement.month,
    title,
    ...empty,
    statement[name],
    statement.currency,
    '',
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
    quote(names.get(line.key_id ?? '') ?? ''),
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
    'key_name',
  ];
  const rows = [opening, credits, adjustments, ...lines, charges, closing];
  return toCsv([header, ...rows.filter((row) => row !== undefined)]);
}

const STYLE =
  'body{font:14px/1.5 system-ui,sans-serif;margin:2cm auto;max-width:18cm;padding:0 1em}' +
  'h1{margin:0}h2{margin:2em 0 0;font-size:1.1em}table{border-collapse:collapse;width:100%}' +
  'th,td{padding:.3em .6em;border-bottom:1px solid #ccc;text-align:left;vertical-align:top}' +
  'th:first-child{padding-left:0}td:first-child{padding-left:0}th:last-child,td:last-child' +
  '{padding-right:0}.lines{font-size:12px}small{display:block;color:#555}' +
  // A name or an id of any length leaves room for the amounts beside it.
  'td:not(.n){overflow-wrap:anywhere}.n{text-align:right;font-variant-numeric:tabular-nums}' +
  'thead{display:table-header-group}tfoot{display:table-row-group}tr{break-inside:avoid}' +
  'tbody th{font-weight:normal}.sum>*{font-weight:bold}@page{size:A4;margin:2cm}' +
  '@media print{body{margin:0;max-width:none;padding:0}}';

const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'";

interface PageOptions {
  readonly accountName: string;
  readonly names: KeyNames;
  readonly issuedAtMs: number;
}

/** A page that prints well; it loads nothing and runs nothing. */
function toStatementHtml(statement: Whole, options: PageOptions): string {
  const { month } = statement;
  const title = `Statement of ${escapeHtml(options.accountName)}, ${writeMonth(month)}`;
  const amountIn = `Amount (${escapeHtml(statement.currency)})`;
  const sums = SUMS.map(([name, field]) => {
    const label = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const row = `<th scope="row">${label}</th>${toCells([writeAmount(statement[field])])}`;
    return `<tr${field === 'closing_balance' ? ' class="sum"' : ''}>${row}</tr>`;
  });
  const isOver = toIsoTime(options.issuedAtMs).slice(0, month.length) > month;
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>` +
    `<style>${STYLE}</style></head><body><h1>${title}</h1>` +
    `<p>Issued ${writeDay(options.issuedAtMs)}${isOver ? '' : ', before the month was over'}. ` +
    'Days and months are of UTC.</p><h2>Balance</h2>' +
    `<table><thead><tr><th scope="col">Item</th><th scope="col" class="n">${amountIn}</th></tr>` +
    `</thead><tbody>${sums.join('')}</tbody></table>` +
    `<h2>Charges by model and API key</h2>${toLinesHtml(statement, options.names, amountIn)}` +
    '</body></html>\n'
  );
}

function toLinesHtml(statement: Whole, names: KeyNames, amountIn: string): string {
  const { charges, lines } = statement;
  if (lines.length === 0) return '<p>Nothing was charged.</p>';
  const rows = lines.map((line) => {
    const { amount: charged, model, requests, prompt_tokens, completion_tokens } = line;
    const counts = [requests, prompt_tokens, completion_tokens].map(writeCount);
    return (
      `<tr><td>${escapeHtml(model ?? 'Other')}</td><td>${toKeyHtml(line.key_id, names)}</td>` +
      `${toCells([...counts, writeAmount(charged)])}</tr>`
    );
  });
  const sumOf = (field: 'requests' | 'prompt_tokens' | 'completion_tokens') =>
    writeCount(lines.reduce((sum, line) => sum + line[field], 0));
  const header = ['Requests', 'Prompt tokens', 'Completion tokens', amountIn]
    .map((name) => `<th scope="col" class="n">${name}</th>`)
    .join('');
  const counts = [sumOf('requests'), sumOf('prompt_tokens'), sumOf('completion_tokens')];
  return (
    '<table class="lines"><thead><tr><th scope="col">Model</th><th scope="col">API key</th>' +
    `${header}</tr></thead><tbody>${rows.join('')}</tbody>` +
    '<tfoot><tr class="sum"><th scope="row" colspan="2">Charges</th>' +
    `${toCells([...counts, writeAmount(charges)])}</tr></tfoot></table>`
  );
}

/** One that is gone, or that who asks may not list, goes by its id. */
function toKeyHtml(id: string | null, names: KeyNames): string {
  if (id === null) return 'Other';
  const name = names.get(id);
  return name === undefined
    ? escapeHtml(id)
    : `${escapeHtml(name)}<small>${escapeHtml(id)}</small>`;
}

function toCells(figures: readonly string[]): string {
  return figures.map((figure) => `<td class="n">${figure}</td>`).join('');
}

/** `12,732` */
function writeCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** `−1,234.50`, with the minus that is as wide as a digit; each digit is kept. */
function writeAmount(amountText: string): string {
  return amountText.replace('-', '−').replace(/\d(?=(\d{3})+\.)/g, '$&,');
}

/** `November 2026` of `2026-11`. */
function writeMonth(month: string): string {
  return writeDate(Date.parse(`${month}-01`), { month: 'long', year: 'numeric' });
}

/** `24 November 2026` */
function writeDay(atMs: number): string {
  return writeDate(atMs, { day: 'numeric', month: 'long', year: 'numeric' });
}

function writeDate(atMs: number, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(atMs);
}
