import { Loader, Modal, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { reach } from '../api/reach';
import classes from './shell.module.css';

const ASK_MS = 2_000;

/** Above every drawer. */
const LAYER = 1000;

/**
 * Covers everything while nothing answers; asks until something does, and brings everything up to
 * date then. What somebody was writing is below it and stays.
 */
export function AwayPage() {
  const queries = useQueryClient();
  const { data: isBack } = useQuery({
    queryKey: ['away'],
    queryFn: () => isReady(),
    refetchInterval: ASK_MS,
    gcTime: 0,
    staleTime: 0,
  });
  useEffect(() => {
    if (isBack !== true) return;
    reach.answered();
    void queries.invalidateQueries();
  }, [isBack, queries]);
  return (
    <Modal
      opened
      fullScreen
      withCloseButton={false}
      closeOnEscape={false}
      zIndex={LAYER}
      aria-label="Tollgate does not answer"
      onClose={() => undefined}
    >
      <div className={classes.center}>
        <div className={classes.away} role="status">
          <Loader size="sm" />
          <Title order={1}>Tollgate does not answer</Title>
          <Text c="dimmed">
            It is starting, or the connection is gone. This page goes on by itself as soon as there
            is an answer. Nothing that you wrote is lost.
          </Text>
        </div>
      </div>
    </Modal>
  );
}

async function isReady(): Promise<boolean> {
  try {
    return (await fetch('/readyz')).ok;
  } catch {
    return false;
  }
}
