import { Alert, Center, Loader, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';

/** Loading, failed, empty or there: every page says which. */
export function PageState<Data>(props: {
  readonly query: UseQueryResult<Data>;
  readonly isEmpty?: (data: Data) => boolean;
  readonly emptyText?: string;
  readonly children: (data: Data) => ReactNode;
}) {
  const { query, isEmpty, emptyText } = props;
  if (query.isPending) {
    return (
      <Center p="xl">
        <Loader />
      </Center>
    );
  }
  if (query.isError) return <Alert color="red">{query.error.message}</Alert>;
  if (isEmpty?.(query.data)) return <Text c="dimmed">{emptyText}</Text>;
  return <>{props.children(query.data)}</>;
}
