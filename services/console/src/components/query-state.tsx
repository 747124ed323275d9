import { Alert, Button, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import {
  createContext,
  type ReactNode,
  useContext,
  useId,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import { ApiError, type Attempt, describeUnconfirmed } from '../api/api-error';
import { useAway } from '../api/reach';
import { formatWait } from '../format/quantity';
import { Identifier } from './copy';
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
 * it is asked for again, even when that fails.
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
  if (data === undefined) {
    if (error instanceof ApiError && error.status === 404) return <NotThere />;
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

/** Whether what nothing answered would be answered now. */
function useIsOver(error: Error): boolean {
  const isAway = useAway();
  return error instanceof ApiError && error.status === 0 && !isAway;
}

/** What could not be loaded for one reason: said once, and tried again together. */
interface Told {
  readonly id: string;
  readonly message: string;
  readonly retry: () => void;
}

function createFailureList() {
  const listeners = new Set<() => void>();
  let list: readonly Told[] = [];
  const change = (next: readonly Told[]) => {
    list = next;
    for (const listener of listeners) listener();
  };
  return {
    read: () => list,
    listen(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    add(told: Told) {
      change([...list, told]);
      return () => change(list.filter(({ id }) => id !== told.id));
    },
  };
}

const FailureList = createContext(createFailureList());

/** Around what is seen as one: a page, or a drawer over it. */
export function FailureScope(props: { readonly children: ReactNode }) {
  const [list] = useState(createFailureList);
  return <FailureList value={list}>{props.children}</FailureList>;
}

/** A part of a page that could not be loaded; of several with one reason the first tells it. */
export function LoadFailure(props: {
  readonly error: Error;
  readonly isRetrying: boolean;
  readonly onRetry: () => unknown;
  /** Which part, where more of it is there. */
  readonly title?: string;
}) {
  const { error, onRetry } = props;
  const { message } = error;
  const id = useId();
  const list = useContext(FailureList);
  const told = useSyncExternalStore(list.listen, list.read).filter(
    (one) => one.message === message,
  );
  useLayoutEffect(() => list.add({ id, message, retry: onRetry }), [list, id, message]);
  const first = told[0];
  if (first !== undefined && first.id !== id) {
    return (
      <Text c="dimmed" size="sm">
        This could not be loaded either.
      </Text>
    );
  }
  return (
    <Failure
      error={error}
      title={props.title ?? 'This could not be loaded'}
      isRetrying={props.isRetrying}
      onRetry={() => {
        for (const { retry } of told) retry();
      }}
    />
  );
}

/** The failure, the id that support needs, and another try where that makes sense. */
export function Failure(props: {
  readonly error: Error;
  readonly isRetrying?: boolean;
  readonly onRetry?: () => void;
  readonly title?: string;
  /** What was pressed, where that changes something. */
  readonly attempt?: Attempt;
}) {
  const { error, attempt } = props;
  const isOver = useIsOver(error);
  const unconfirmed = attempt && describeUnconfirmed(error, attempt, isOver);
  const waitS = error instanceof ApiError && error.status === 429 ? error.retryAfterS : undefined;
  // Who is not signed in can open no story by it.
  const requestId = error instanceof ApiError && error.status !== 401 ? error.requestId : undefined;
  const isTransient = error instanceof ApiError && error.isTransient;
  return (
    <Alert
      color={isOver ? 'var(--toll-warn)' : 'var(--toll-bad)'}
      variant="outline"
      role="alert"
      icon={<CircleAlert size={18} />}
      title={props.title}
      classNames={{ body: classes.body, message: classes.failure }}
    >
      <Text>{isOver ? 'Tollgate did not answer; now it does again.' : error.message}</Text>
      {unconfirmed !== undefined && <Text>{unconfirmed}</Text>}
      {waitS !== undefined && <Text>Try again in {formatWait(waitS)}.</Text>}
      {isTransient && props.onRetry !== undefined && (
        <Text c="dimmed" size="sm">
          This page asks again by itself.
        </Text>
      )}
      {requestId !== undefined && (
        <Text c="dimmed" size="sm" component="div">
          Request <Identifier id={requestId} what="request id" />
        </Text>
      )}
      {props.onRetry !== undefined && (
        <Button
          variant="default"
          size="xs"
          mt={8}
          loading={props.isRetrying === true}
          onClick={props.onRetry}
        >
          Retry
        </Button>
      )}
    </Alert>
  );
}
