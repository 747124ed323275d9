import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useAway } from '../api/reach';
import { Failure } from '../components/failure';
import { resumeSession } from '../session/session';
import { AwayPage } from './away-page';
import classes from './shell.module.css';

const RETRY_MS = 2_000;

/** Shown while the server is asked whether this browser is still signed in: mostly a moment. */
export function StartingPage() {
  const isAway = useAway();
  const session = useQuery({
    queryKey: ['session'],
    queryFn: async () => {
      await resumeSession();
      return true;
    },
    retry: true,
    retryDelay: RETRY_MS,
    gcTime: 0,
  });
  if (isAway) {
    return (
      <main className={classes.center}>
        <AwayPage />
      </main>
    );
  }
  return (
    <main className={classes.center}>
      <div className={classes.away} role="status" aria-busy="true" aria-label="Loading">
        {session.failureReason === null ? (
          <Loader size="sm" />
        ) : (
          <Failure error={session.failureReason} />
        )}
      </div>
    </main>
  );
}
