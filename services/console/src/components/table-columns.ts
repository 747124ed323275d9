/** What decides how much room a column takes. */
interface Sized {
  readonly width?: 'name' | 'sentence' | 'code';
  readonly isMinor?: boolean;
  readonly isLong?: boolean;
}

/** As many stand beside each other on a tablet. */
const TABLET_MAX = 5;

/**
 * On a tablet a table does without what is minor and without codes. One whose other columns are too
 * many, or have text of any length, is read as cards: undefined.
 */
export function columnsOnTablet<Column extends Sized>(
  columns: readonly Column[],
): readonly Column[] | undefined {
  const shown = columns.filter(({ isMinor, width }) => isMinor !== true && width !== 'code');
  const isRead = shown.length > TABLET_MAX || shown.some(({ isLong }) => isLong === true);
  return isRead ? undefined : shown;
}

/** What a table may show, the widest first, and the width at which it was seen not to fit. */
export interface TableFit<Column> {
  readonly choices: readonly (readonly Column[])[];
  /** In pixels, by the number of columns. */
  readonly neededPx: ReadonlyMap<number, number>;
  /** Of the frame, in pixels; 0 while it was not measured yet. */
  readonly widthPx: number;
}

/** The most columns of which none would be cut; undefined where only cards are left. */
export function columnsThatFit<Column>(fit: TableFit<Column>): readonly Column[] | undefined {
  return fit.choices.find(({ length }) => fit.widthPx >= (fit.neededPx.get(length) ?? 0));
}

/** On a card a name or a sentence is not pressed into a place among three. */
export function hasLine({ width, isLong }: Sized): boolean {
  return isLong === true || width !== undefined;
}
