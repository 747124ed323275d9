import { readFileSync, writeFileSync } from 'node:fs';

/**
 * A part of a document that a test makes. It stands between the lines `<!-- made by a test: NAME -->`
 * and `<!-- end -->`; the test fails when it says something else. With `WRITE_DOCS=1` it is written.
 */
export function expectGeneratedBlock(file: string, name: string, text: string): void {
  const page = readFileSync(file, 'utf8');
  const made = withBlock(page, name, text);
  if (made === undefined) throw new Error(`${file} has no part that is made by a test: ${name}`);
  if (process.env.WRITE_DOCS === '1') writeFileSync(file, made);
  else if (page !== made) {
    const advice = `WRITE_DOCS=1 writes what the test found into ${file}:\n\n${text}`;
    throw new Error(`the part "${name}" is not what the test found; ${advice}`);
  }
}

/** The page with the text in that part; undefined when it has no such part. */
export function withBlock(page: string, name: string, text: string): string | undefined {
  const begin = `<!-- made by a test: ${name} -->\n`;
  const from = page.indexOf(begin);
  const to = page.indexOf('<!-- end -->', from);
  if (from < 0 || to < 0) return undefined;
  return `${page.slice(0, from + begin.length)}\n${text.trim()}\n\n${page.slice(to)}`;
}

/** A table whose columns are as wide as their longest cell. */
export function toAlignedTable(head: readonly string[], rows: readonly (readonly string[])[]) {
  const lines = [head, head.map(() => ''), ...rows];
  const widths = head.map((_, column) =>
    Math.max(3, ...lines.map((cells) => cells[column]?.length ?? 0)),
  );
  const lineOf = (cells: readonly string[], fill: string) =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width, fill)).join(' | ')} |`;
  return lines.map((cells, index) => lineOf(cells, index === 1 ? '-' : ' ')).join('\n');
}
