import { Button, Text, Title } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import classes from './shell.module.css';

/** A page that failed, or whose code is that of an older release, leaves the rail alone. */
export class ErrorBoundary extends Component<
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
