import { Table } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import classes from './data-table.module.css';

/** One column; on a phone, one place of a card. */
export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Right-aligned, with figures of one width. */
  readonly isNumeric?: boolean;
  /** Not worth a place of a phone's card. */
  readonly isMinor?: boolean;
  /** Text of any length, which gets a line of a phone's card. */
  readonly isLong?: boolean;
}

interface TableProps<Row> {
  /** The name of the rows, for those who cannot see them. */
  readonly label: string;
  readonly rows: readonly Row[];
  /** The first says which row it is, and opens it. */
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** Where the row leads; it is plain text without. */
  readonly hrefOf?: ((row: Row) => string | undefined) | undefined;
}

const PHONE = '(max-width: 48em)';

/** Rows as a table, and as cards where a table does not fit. */
export function DataTable<Row>(props: TableProps<Row>) {
  const isPhone = useMediaQuery(PHONE, globalThis.matchMedia?.(PHONE).matches ?? false);
  return isPhone ? <Cards {...props} /> : <Rows {...props} />;
}

function Rows<Row>({ label, rows, columns, keyOf, hrefOf }: TableProps<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section className={classes.frame} aria-label={label} tabIndex={0}>
      <Table className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ header, isNumeric }) => (
              <Table.Th key={header} scope="col" data-numeric={isNumeric}>
                {header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr
              key={keyOf(row)}
              className={classes.row}
              data-opens={hrefOf?.(row) !== undefined}
            >
              {columns.map(({ header, cell, isNumeric }, index) => (
                <Table.Td key={header} data-numeric={isNumeric}>
                  {index === 0 ? <Opener href={hrefOf?.(row)}>{cell(row)}</Opener> : cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function Cards<Row>({ label, rows, columns, keyOf, hrefOf }: TableProps<Row>) {
  const [first, ...others] = columns;
  return (
    <ul className={classes.cards} aria-label={label}>
      {rows.map((row) => (
        <li key={keyOf(row)} className={classes.card} data-opens={hrefOf?.(row) !== undefined}>
          <div className={classes.cardTitle}>
            <Opener href={hrefOf?.(row)}>{first?.cell(row)}</Opener>
          </div>
          <dl className={classes.lines}>
            {others
              .filter(({ isMinor }) => isMinor !== true)
              .map(({ header, cell, isLong }) => (
                <div key={header} className={classes.line} data-wide={isLong}>
                  <dt>{header}</dt>
                  <dd>{cell(row)}</dd>
                </div>
              ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

/** A link that reaches over its whole row. */
function Opener(props: { readonly href: string | undefined; readonly children: ReactNode }) {
  if (props.href === undefined) return <>{props.children}</>;
  return (
    <Link href={props.href} className={classes.opener}>
      {props.children}
    </Link>
  );
}
