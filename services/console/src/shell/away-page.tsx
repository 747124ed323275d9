import { Loader, Portal, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isReady, reach } from '../api/reach';
import classes from './shell.module.css';

const ASK_MS = 2_000;

/** Shown before there is a page: says that nothing answers. */
export function AwayPage() {
  useReturn();
  return (
    <div className={classes.away} role="status">
      <Loader size="sm" color="var(--mantine-color-anchor)" />
      <Title order={1}>Tollgate does not answer</Title>
      <Text c="dimmed">
        It is starting, or the connection is gone. This page goes on by itself as soon as there is
        an answer.
      </Text>
    </div>
  );
}

/**
 * Shown below a page that is there: its content and what is being written stay, and an answer that
 * still streams goes on.
 */
export function AwayBanner() {
  useReturn();
  return (
    <Portal>
      <div className={classes.banner} role="status">
        <Loader size="xs" color="var(--mantine-color-anchor)" />
        <span>
          <strong>Tollgate does not answer.</strong> Waiting for it; nothing you wrote is lost.
        </span>
      </div>
    </Portal>
  );
}

/** Asks until the product answers, and then asks every query again. */
function useReturn(): void {
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
}
