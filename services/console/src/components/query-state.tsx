import { Alert, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isGone } from '../api/queries';
import { LoadFailure } from './failure';
import classes from './query-state.module.css';

/** The part of a query, of one thing or of a list, that a view needs. */
type Asked<Data> = Pick<UseQueryResult<Data>, 'data' | 'error' | 'isPending' | 'isFetching'> & {
  refetch(): unknown;
};

/** The text of an empty list: what it would hold, and what to do. */
export interface EmptyText {
  readonly title: string;
  readonly text: string;
  readonly action?: ReactNode;
}

/**
 * Loading, failed, empty or there: every view of data says which. What was there before stays while
 * it is asked for again, even when that fails, unless it was deleted meanwhile.
 */
export function QueryState<Data>(props: {
  readonly query: Asked<Data>;
  /** Lines of the skeleton. */
  readonly lines?: number;
  readonly empty?: EmptyText;
  /** The thing is one of a list that was read to its end: one that is missing does not exist. */
  readonly isListed?: boolean;
  readonly children: (data: Data) => ReactNode;
}) {
  const { query, lines = 5, empty } = props;
  const { data, error } = query;
  if (isGone(error)) return <NotThere />;
  if (data === undefined) {
    if (error !== null) {
      return (
        <LoadFailure error={error} isRetrying={query.isFetching} onRetry={() => query.refetch()} />
      );
    }
    return props.isListed === true && !query.isPending ? <NotThere /> : <Waiting lines={lines} />;
  }
  if (empty !== undefined && Array.isArray(data) && data.length === 0) return <Empty {...empty} />;
  return <>{props.children(data)}</>;
}

/** Said at an address with the id of nothing that exists: there is nothing to try again. */
function NotThere() {
  return (
    <Alert variant="outline" color="gray" role="status" title="There is nothing here">
      <Text>It may have been deleted, or the address is mistyped or out of date.</Text>
    </Alert>
  );
}

export function Waiting(props: { readonly lines: number }) {
  return (
    <Stack gap={14} aria-busy="true" role="status" aria-label="Loading">
      {Array.from({ length: props.lines }, (_, line) => (
        <Skeleton key={line} height={18} width={`${96 - (line % 3) * 11}%`} radius="sm" />
      ))}
    </Stack>
  );
}

function Empty(props: EmptyText) {
  return (
    <div className={classes.empty}>
      <Title order={3}>{props.title}</Title>
      <Text c="dimmed" maw={440}>
        {props.text}
      </Text>
      {props.action}
    </div>
  );
}
