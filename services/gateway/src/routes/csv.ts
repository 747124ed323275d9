/** RFC 4180, a line for each row; what may hold anything goes through `quote`. */
export function toCsv(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.join(',')}\r\n`).join('');
}

/** Names come from clients: a spreadsheet must not take one for a formula. */
export function quote(text: string): string {
  const inert = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${inert.replaceAll('"', '""')}"`;
}

const FIELD = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

/** The rows of a text as RFC 4180 has it, empty lines left out; undefined when it has another form. */
export function parseCsv(text: string): readonly (readonly string[])[] | undefined {
  const rows: string[][] = [];
  let row: string[] = [];
  FIELD.lastIndex = 0;
  while (FIELD.lastIndex < text.length) {
    const match = FIELD.exec(text);
    if (match === null) return undefined;
    const [, quoted, plain = '', end] = match;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',' && FIELD.lastIndex < text.length) continue;
    if (end === ',') row.push('');
    if (row.some((field) => field !== '')) rows.push(row);
    row = [];
  }
  return rows;
}
