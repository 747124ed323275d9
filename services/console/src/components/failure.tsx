import { Alert, Button, Text } from '@mantine/core';
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
import { ApiError, describeUnconfirmed, type Press } from '../api/api-error';
import { useAway } from '../api/reach';
import { formatWait } from '../format/quantity';
import { Identifier } from './copy';
import classes from './failure.module.css';

/** How far a change through the API is: on its way, or failed with an error. */
export interface ChangeState {
  readonly isPending: boolean;
  readonly error: Error | null;
}

/** Whether what nothing answered would be answered now. */
function useIsOver(error: Error): boolean {
  const isAway = useAway();
  return error instanceof ApiError && error.status === 0 && !isAway;
}

/** What could not be loaded for one reason: said once, and tried again together. */
interface FailedLoad {
  readonly id: string;
  readonly message: string;
  readonly retry: () => void;
}

function createFailureList() {
  const listeners = new Set<() => void>();
  let list: readonly FailedLoad[] = [];
  const change = (next: readonly FailedLoad[]) => {
    list = next;
    for (const listener of listeners) listener();
  };
  return {
    read: () => list,
    listen(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    add(told: FailedLoad) {
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
  /** The button, where it changes something. */
  readonly pressed?: Press;
}) {
  const { error, pressed } = props;
  const isOver = useIsOver(error);
  const unconfirmed = pressed && describeUnconfirmed(error, pressed, isOver);
  const waitS = error instanceof ApiError && error.status === 429 ? error.retryAfterS : undefined;
  // Nobody can open a story by this id without being signed in.
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
