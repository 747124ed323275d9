import { Table } from '@mantine/core';
import { useElementSize, useMediaQuery } from '@mantine/hooks';
import { type MouseEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import classes from './data-table.module.css';
import { columnsOnTablet, columnsThatFit, hasLine } from './table-columns';

/** One column; on a phone, one place of a card. */
export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Right-aligned, with figures of one width, and never cut. */
  readonly isNumeric?: boolean;
  /**
   * `name` (one that somebody gave) and `sentence` give way where there is little room; all other
   * columns are as wide as their longest word. On a card each column with a width has a line of its
   * own.
   */
  readonly width?: 'name' | 'sentence' | 'code';
  /** Not worth a place of a phone's card. */
  readonly isMinor?: boolean;
  /** Text of any length, which gets a line of a phone's card. */
  readonly isLong?: boolean;
  /** At the head of a card: left what the card is about, right what is compared between cards. */
  readonly atHead?: 'left' | 'right';
}

/** A column of figures. */
export function numeric<Row>(
  header: string,
  cell: Column<Row>['cell'],
  more: Pick<Column<Row>, 'isMinor' | 'atHead'> = {},
): Column<Row> {
  return { header, isNumeric: true, cell, ...more };
}

interface TableProps<Row> {
  /** The name of the rows, for those who cannot see them. */
  readonly label: string;
  readonly rows: readonly Row[];
  /** The first column names the row and opens it, unless another is at the head of a card. */
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** Where the row leads; without it the row is plain text. */
  readonly hrefOf?: ((row: Row) => string | undefined) | undefined;
}

const PHONE = '(max-width: 48em)';
const TABLET = '(max-width: 64em)';

function useFits(query: string): boolean {
  return useMediaQuery(query, globalThis.matchMedia?.(query).matches ?? false);
}

/**
 * Rows as a table, and as cards where a table does not fit. Its width is known only from its rows; it
 * is never cut, because an amount that is cut reads as another amount.
 */
export function DataTable<Row>(props: TableProps<Row>) {
  const isPhone = useFits(PHONE);
  const isTablet = useFits(TABLET);
  const { ref, width: widthPx } = useElementSize<HTMLDivElement>();
  const [neededPx, setNeededPx] = useState<ReadonlyMap<number, number>>(new Map());
  const { columns } = props;
  const onTablet = columnsOnTablet(columns);
  const choices = [isTablet ? undefined : columns, onTablet].filter((one) => one !== undefined);
  const inTable = isPhone ? undefined : columnsThatFit({ choices, neededPx, widthPx });
  const onCut = (needed: number) => {
    const count = inTable?.length ?? 0;
    // While a window becomes narrower its new width is known a moment later: told again, it is no
    // change.
    setNeededPx((known) =>
      known.get(count) === needed ? known : new Map(known).set(count, needed),
    );
  };
  return (
    <div ref={ref}>
      {inTable === undefined ? (
        <Cards {...props} />
      ) : (
        <Rows {...props} columns={inTable} onCut={onCut} />
      )}
    </div>
  );
}

/** The column whose text opens the row: what the row is about. */
function openerOf<Row>(columns: readonly Column<Row>[]): Column<Row> | undefined {
  return columns.find(({ atHead }) => atHead === 'left') ?? columns[0];
}

function Rows<Row>(
  props: TableProps<Row> & {
    /** Called before anything is painted, with the width that the table needs, when it is cut. */
    readonly onCut: (neededPx: number) => void;
  },
) {
  const { label, rows, columns, keyOf, hrefOf, onCut } = props;
  const frame = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const shown = frame.current;
    const head = shown?.querySelector('thead');
    if (shown === null || head === null || head === undefined) return undefined;
    const measure = () => {
      const { scrollWidth, clientWidth, offsetWidth } = shown;
      if (scrollWidth > clientWidth) onCut(scrollWidth + offsetWidth - clientWidth);
    };
    measure();
    // A cell may learn its text later than its row, which is not drawn anew then.
    const observer = new ResizeObserver(measure);
    observer.observe(head);
    return () => observer.disconnect();
  });
  const opener = openerOf(columns);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section ref={frame} className={classes.frame} aria-label={label} tabIndex={0}>
      {/* A grid is no table to everybody who hears it, unless it says so. */}
      <Table
        role="table"
        className={classes.table}
        style={{
          gridTemplateColumns: columns.map((one) => toTrack(one, one === opener)).join(' '),
        }}
      >
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {columns.map(({ header, isNumeric }) => (
              <Table.Th key={header} role="columnheader" scope="col" data-numeric={isNumeric}>
                {header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {rows.map((row) => (
            <Table.Tr
              key={keyOf(row)}
              role="row"
              className={classes.row}
              data-opens={hrefOf?.(row) !== undefined}
              onClick={openByTitle}
            >
              {columns.map((column) => (
                <Table.Td key={column.header} role="cell" data-numeric={column.isNumeric}>
                  <Opener href={hrefOf?.(row)} isTitle={column === opener && hrefOf !== undefined}>
                    {column.cell(row)}
                  </Opener>
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

/** Least width of the column that opens the row, on half a page or a whole one; then of names. */
const OPENER_WIDTH_MIN = 'min(176px, 24%)';
const NAME_WIDTH_MIN = '112px';
const SENTENCE_WIDTH_MIN = '176px';

/** How narrow the column may become, in a grid whose columns share what is left. */
function toTrack(
  { isNumeric, width }: Pick<Column<never>, 'isNumeric' | 'width'>,
  isOpener: boolean,
): string {
  if (width === 'name') return `minmax(${isOpener ? OPENER_WIDTH_MIN : NAME_WIDTH_MIN}, auto)`;
  if (width === 'sentence') return `minmax(${SENTENCE_WIDTH_MIN}, auto)`;
  return isNumeric === true ? 'minmax(max-content, auto)' : 'minmax(min-content, auto)';
}

/** Cells with a text on hover lie above the link of their row: a click on one opens the row too. */
function openByTitle({ target, currentTarget }: MouseEvent<HTMLTableRowElement>) {
  if (!(target instanceof Element) || target.closest('a, button') !== null) return;
  if (target.closest('[title]') !== null) currentTarget.querySelector('a')?.click();
}

function Cards<Row>({ label, rows, columns, keyOf, hrefOf }: TableProps<Row>) {
  const opener = openerOf(columns);
  const lefts = columns.filter((one) => one === opener || one.atHead === 'left');
  const rights = columns.filter(({ atHead }) => atHead === 'right');
  const rest = columns.filter(
    (one) => one.isMinor !== true && !lefts.includes(one) && !rights.includes(one),
  );
  // Short values stand beside each other, below what has a line of its own.
  const short = rest.filter((one) => !hasLine(one));
  const lines = [...rest.filter(hasLine), ...short];
  return (
    <ul className={classes.cards} aria-label={label}>
      {rows.map((row) => (
        <li key={keyOf(row)} className={classes.card} data-opens={hrefOf?.(row) !== undefined}>
          <div className={classes.cardHead}>
            <div className={classes.cardTitle}>
              {lefts.map((column) => (
                <div key={column.header}>
                  <Opener href={hrefOf?.(row)} isTitle={column === opener && hrefOf !== undefined}>
                    {column.cell(row)}
                  </Opener>
                </div>
              ))}
            </div>
            {rights.length > 0 && (
              <div className={classes.cardRight}>
                {rights.map(({ header, cell }) => (
                  <div key={header}>{cell(row)}</div>
                ))}
              </div>
            )}
          </div>
          {lines.length > 0 && (
            <dl className={classes.lines}>
              {lines.map((one) => (
                <div
                  key={one.header}
                  className={classes.line}
                  data-wide={one.isLong}
                  // One short value alone would have two empty places beside it.
                  data-beside={one.isLong !== true && (hasLine(one) || short.length === 1)}
                >
                  <dt>{one.header}</dt>
                  <dd>{one.cell(row)}</dd>
                </div>
              ))}
            </dl>
          )}
        </li>
      ))}
    </ul>
  );
}

/**
 * What the row is about: a link that reaches over its whole row. Where other rows open and this one
 * does not, it stands out as theirs do.
 */
function Opener(props: {
  readonly href: string | undefined;
  /** Whether the column is the one that names the row. */
  readonly isTitle: boolean;
  readonly children: ReactNode;
}) {
  const { href, children } = props;
  if (!props.isTitle) return <>{children}</>;
  if (href === undefined) return <span className={classes.title}>{children}</span>;
  return (
    <Link href={href} className={classes.opener}>
      {children}
    </Link>
  );
}
