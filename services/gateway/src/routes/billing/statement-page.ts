import { toIsoTime } from '@tollgate/core';
import { escapeHtml } from '../../http/html';
import { type KeyNames, SUMS, type WholeStatement } from './statement';

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

/** What the page may load and run: nothing but its own style. */
export const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'";

interface PageOptions {
  readonly accountName: string;
  readonly names: KeyNames;
  readonly issuedAtMs: number;
}

/** A page that prints well; it loads nothing and runs nothing. */
export function toStatementHtml(statement: WholeStatement, options: PageOptions): string {
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

function toLinesHtml(statement: WholeStatement, names: KeyNames, amountIn: string): string {
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
