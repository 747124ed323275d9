import { Alert, Button, Stack, Text, Title } from '@mantine/core';
import { Component, type ReactNode, Suspense } from 'react';
import { useLocation } from 'wouter';
import { useAway } from '../api/reach';
import { useIsRefused } from '../api/users';
import { Waiting } from '../components/query-state';
import { useUser } from '../session/session';
import { AwayBanner } from './away-page';
import { BottomBar } from './bottom-bar';
import { useLostFocus } from './lost-focus';
import { mayOpen, type PageRoute } from './page-route';
import { Rail } from './rail';
import classes from './shell.module.css';

/** A page whose code is on its way has its name already. */
function Coming({ title }: { readonly title: string | undefined }) {
  return (
    <Stack gap="lg">
      {title !== undefined && <Title order={1}>{title}</Title>}
      <Waiting lines={6} />
    </Stack>
  );
}

/** A page that failed, or whose code is that of an older release, leaves the rail alone. */
class ErrorBoundary extends Component<
  { readonly children: ReactNode },
  { readonly error: Error | undefined }
> {
  override state = { error: undefined };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return (
      <div className={classes.center}>
        <div className={classes.away} role="alert">
          <Title order={1}>This page could not be shown</Title>
          <Text c="dimmed">
            The console may have been updated since it was opened. Load it again; if that does not
            help, tell your operator.
          </Text>
          <Button onClick={() => window.location.reload()}>Load again</Button>
        </div>
      </div>
    );
  }
}

/** Stands in place of every page: each request of a suspended account would be refused. */
function SuspendedNotice() {
  return (
    <Alert color="var(--toll-bad)" variant="outline" role="alert" title="This account is suspended">
      <Text>
        Its API keys are refused, and nothing of it is shown here. Ask whoever runs this service
        why.
      </Text>
    </Alert>
  );
}

/** The frame around every page: the rail at a desk, the bottom bar on a phone. */
export function Shell(props: {
  readonly routes: readonly PageRoute[];
  readonly children: ReactNode;
}) {
  const { role } = useUser();
  const [path] = useLocation();
  const isAway = useAway();
  const isRefused = useIsRefused();
  useLostFocus();
  const routes = props.routes.filter((route) => mayOpen(route, role));
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#content">
        Skip to content
      </a>
      <Rail routes={routes} />
      <main id="content" className={classes.main} tabIndex={-1}>
        <ErrorBoundary key={path}>
          <Suspense fallback={<Coming title={routes.find((one) => one.path === path)?.label} />}>
            {isRefused ? <SuspendedNotice /> : props.children}
          </Suspense>
        </ErrorBoundary>
      </main>
      <BottomBar routes={routes} />
      {isAway && <AwayBanner />}
    </div>
  );
}
