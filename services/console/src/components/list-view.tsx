import { Button } from '@mantine/core';
import type { ListQuery } from '../api/queries';
import { type Column, DataTable } from './data-table';
import classes from './data-table.module.css';
import { type EmptyText, QueryState } from './query-state';

/** A list of the API: loading, failed, empty or there, with the way to more of it. */
export function ListView<Row>(props: {
  readonly query: ListQuery<Row>;
  /** The name of the rows, for those who cannot see them. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly hrefOf?: (row: Row) => string | undefined;
  readonly empty: EmptyText;
  /** Narrows what was loaded, where the API has no filter. */
  readonly fits?: (row: Row) => boolean;
}) {
  const { query, label, columns, keyOf, hrefOf, empty, fits } = props;
  return (
    <QueryState query={query} empty={empty}>
      {(all) => {
        const rows = fits === undefined ? all : all.filter(fits);
        return (
          <>
            <DataTable label={label} rows={rows} columns={columns} keyOf={keyOf} hrefOf={hrefOf} />
            <ListFooter query={query} shown={rows.length} loaded={all.length} />
          </>
        );
      }}
    </QueryState>
  );
}

function ListFooter(props: {
  readonly query: Pick<ListQuery<unknown>, 'hasNextPage' | 'fetchNextPage' | 'isFetchingNextPage'>;
  readonly shown: number;
  readonly loaded: number;
}) {
  const { query, shown, loaded } = props;
  if (!query.hasNextPage && shown === loaded) return null;
  return (
    <div className={classes.footer}>
      <span>{shown === loaded ? `The newest ${loaded}` : `${shown} of ${loaded} loaded`}</span>
      {query.hasNextPage && (
        <Button
          variant="default"
          size="xs"
          loading={query.isFetchingNextPage}
          onClick={() => query.fetchNextPage()}
        >
          Load older
        </Button>
      )}
    </div>
  );
}
