/** A list for people: a line for each item, of these members of it. */
export interface Table {
  readonly columns: readonly string[];
  /** Of the terminal, characters; undefined where the text goes elsewhere and is not cut. */
  readonly width: number | undefined;
}

const GAP = '  ';
const ELLIPSIS = '…';
/** No column is made narrower than this for want of room. */
const NARROW = 12;

/**
 * The items under the names of their members, aligned. What does not fit into the terminal is cut,
 * the widest columns first; ids never are: they are what the next command is given.
 */
export function formatTable(
  items: readonly object[],
  { columns, width = Number.POSITIVE_INFINITY }: Table,
  clean: (text: string) => string,
): string {
  const rows = items.map((item) => columns.map((name) => clean(cellOf(item, name))));
  const lines = [columns.map((name) => name.toUpperCase()), ...rows];
  const wanted = columns.map((_, at) => Math.max(...lines.map((cells) => lengthOf(cells[at]))));
  const widths = fit(columns, wanted, width);
  const formatted = lines.map((cells) => {
    const padded = cells.map((cell, at) =>
      cut(cell, widths[at] ?? 0).padEnd(padding(cell, widths[at] ?? 0)),
    );
    return cut(padded.join(GAP).trimEnd(), width);
  });
  return formatted.join('\n');
}

function cellOf(item: object, name: string): string {
  const value = (item as Readonly<Record<string, unknown>>)[name];
  if (value === null || value === undefined || value === '') return '-';
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number);
}

function fit(
  columns: readonly string[],
  wanted: readonly number[],
  width: number,
): readonly number[] {
  const widths = [...wanted];
  const room = width - GAP.length * (columns.length - 1);
  const excess = () => widths.reduce((sum, one) => sum + one, 0) - room;
  while (excess() > 0) {
    const free = widths.map((one, at) => (columns[at] === 'id' || one <= NARROW ? 0 : one));
    const widest = Math.max(...free);
    if (widest === 0) break;
    widths[free.indexOf(widest)] = widest - 1;
  }
  return widths;
}

/** By characters as people see them, not by the halves of a pair. */
const lengthOf = (text = '') => [...text].length;

function cut(text: string, width: number): string {
  if (lengthOf(text) <= width) return text;
  return [...text].slice(0, Math.max(0, width - 1)).join('') + ELLIPSIS;
}

/** What `padEnd` has to be told, which counts halves. */
function padding(text: string, width: number): number {
  const shown = cut(text, width);
  return width + shown.length - lengthOf(shown);
}
