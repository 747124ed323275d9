import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ListQuery } from '../api/hooks';
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
  /** Narrows the rows that were loaded, where the API has no filter. */
  readonly fits?: (row: Row) => boolean;
  /** How many rows show until more are asked for, where other things come after the list. */
  readonly first?: number | undefined;
}) {
  const { query, label, columns, keyOf, hrefOf, empty, fits, first } = props;
  const [isWhole, setWhole] = useState(false);
  const fitting = fits === undefined ? query.data : query.data?.filter(fits);
  // The filter may leave out all rows that were loaded while matching ones are on a later page.
  const isEmpty = fitting?.length === 0 && !query.hasNextPage;
  const shownMax = isWhole || first === undefined ? Number.POSITIVE_INFINITY : first;
  return (
    <QueryState query={isEmpty ? { ...query, data: [] } : query} empty={empty}>
      {(all) => {
        const rows = (fitting ?? all).slice(0, shownMax);
        const isCut = fitting !== undefined && rows.length < fitting.length;
        return (
          <>
            {rows.length > 0 && (
              <DataTable
                label={label}
                rows={rows}
                columns={columns}
                keyOf={keyOf}
                hrefOf={hrefOf}
              />
            )}
            {isCut ? (
              <div className={classes.footer}>
                <span>The newest {rows.length}</span>
                <Button variant="default" size="xs" onClick={() => setWhole(true)}>
                  Show more
                </Button>
              </div>
            ) : (
              <ListFooter query={query} shown={rows.length} loaded={all.length} />
            )}
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
  if (!query.hasNextPage) return null;
  return (
    <div className={classes.footer}>
      <span>
        {shown === loaded
          ? `${loaded} so far`
          : `${shown} of the ${loaded} so far: the others do not belong here`}
      </span>
      <Button
        variant="default"
        size="xs"
        loading={query.isFetchingNextPage}
        onClick={() => query.fetchNextPage()}
      >
        Load more
      </Button>
    </div>
  );
}
