/** RFC 4180, a line for each row; what may hold anything goes through `quote`. */
export function toCsv(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.join(',')}\r\n`).join('');
}

/** What a spreadsheet would take for a formula, and what was kept from being one. */
const FORMULA = /^'*[=+\-@\t\r]/;

/** Names come from clients: a spreadsheet must not take one for a formula. */
export function quote(text: string): string {
  const inert = FORMULA.test(text) ? `'${text}` : text;
  return `"${inert.replaceAll('"', '""')}"`;
}

/** The text that `quote` wrote, of a field that was read. */
export function unquote(field: string): string {
  return field.startsWith("'") && FORMULA.test(field) ? field.slice(1) : field;
}

const FIELD = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r?\n|$)/y;

export interface CsvBounds {
  /** Lines, empty ones and the header among them. */
  readonly linesMax: number;
  /** Cells of the header, which bounds all other rows. */
  readonly cellsMax: number;
}

/**
 * The rows of a text as RFC 4180 has it, empty lines left out; undefined when it has another form.
 * Reading stops behind what shows that a bound is passed: a cell or a row more than there may be.
 */
export function parseCsv(
  text: string,
  { cellsMax, linesMax }: CsvBounds,
): readonly (readonly string[])[] | undefined {
  const rows: string[][] = [];
  let row: string[] = [];
  let lines = 0;
  FIELD.lastIndex = 0;
  while (FIELD.lastIndex < text.length) {
    const match = FIELD.exec(text);
    if (match === null) return undefined;
    const [, quoted, plain = '', end] = match;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (row.length > (rows[0]?.length ?? cellsMax)) return [...rows, row];
    if (end === ',' && FIELD.lastIndex < text.length) continue;
    if (end === ',') row.push('');
    if (row.some((field) => field !== '')) rows.push(row);
    row = [];
    lines += 1;
    if (lines > linesMax) break;
  }
  return rows;
}
