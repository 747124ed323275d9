/** The settings of a column that decide how much room it takes. */
interface Sized {
  readonly width?: 'name' | 'sentence' | 'code';
  readonly isMinor?: boolean;
  readonly isLong?: boolean;
}

/** Columns that a tablet has room for beside each other. */
const TABLET_MAX = 5;

/**
 * The columns of a table on a tablet: without minor ones and codes. Undefined where the others are too
 * many or hold text of any length: the table is then shown as cards.
 */
export function columnsOnTablet<Column extends Sized>(
  columns: readonly Column[],
): readonly Column[] | undefined {
  const shown = columns.filter(({ isMinor, width }) => isMinor !== true && width !== 'code');
  const needsCards = shown.length > TABLET_MAX || shown.some(({ isLong }) => isLong === true);
  return needsCards ? undefined : shown;
}

/** Choices of columns for a table, the widest first, and the widths that they were seen to need. */
export interface TableFit<Column> {
  readonly choices: readonly (readonly Column[])[];
  /** The width that a table was seen to need, in pixels, by the number of its columns. */
  readonly neededPx: ReadonlyMap<number, number>;
  /** Width of the frame in pixels; 0 while it was not measured yet. */
  readonly widthPx: number;
}

/** The most columns of which none would be cut; undefined where only cards are left. */
export function columnsThatFit<Column>(fit: TableFit<Column>): readonly Column[] | undefined {
  return fit.choices.find(({ length }) => fit.widthPx >= (fit.neededPx.get(length) ?? 0));
}

/** Whether the column has a line of its own on a card, as a name or a sentence has. */
export function hasLine({ width, isLong }: Sized): boolean {
  return isLong === true || width !== undefined;
}
