import { quote, toCsv } from '../payloads/csv';
import { type KeyNames, SUMS, type WholeStatement } from './statement';

/**
 * The sums first, each in a line of its own, then the lines of the charges. Columns that came later
 * stand at the end.
 */
export function toStatementCsv(statement: WholeStatement, names: KeyNames): string {
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
