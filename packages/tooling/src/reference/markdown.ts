/** One row of a table, a text for each column. */
export type Row = readonly string[];

/** Text in a cell: a bar or a line break would end it. */
function toCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');
}

/** Text that is shown as it is typed. */
export function toCode(text: string): string {
  return `\`${text}\``;
}

/** A table, with nothing aligned: a longer value must not change the lines of all others. */
export function toTable(columns: Row, rows: readonly Row[]): string {
  const toLine = (cells: Row) => `| ${cells.map(toCell).join(' | ')} |\n`;
  const rule = columns.map(() => '---');
  return [columns, rule, ...rows].map(toLine).join('');
}

/** Parts with one empty line between them. */
export function toPage(title: string, parts: readonly string[]): string {
  return `${[`# ${title}`, ...parts].map((part) => part.trim()).join('\n\n')}\n`;
}
