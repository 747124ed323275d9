import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, Suspense, useEffect } from 'react';
import { Redirect, Route, Router, Switch } from 'wouter';
import { createQueryClient } from './api/queries';
import { PAGES } from './pages/pages';
import { SignInPage } from './pages/sign-in/sign-in-page';
import { useSession } from './session/session';
import { lazyPage, mayOpen } from './shell/page-route';
import { Shell } from './shell/shell';
import { StartingPage } from './shell/starting-page';
import { styleNonce } from './theme/style-nonce';
import { resolveVariables, theme } from './theme/theme';

const FirstPasswordPage = lazyPage(
  async () => (await import('./pages/settings/change-password')).FirstPasswordPage,
);
const queries = createQueryClient();
const nonce = styleNonce();
// The library that holds the page behind a drawer reads it under this name.
Object.assign(globalThis, { __webpack_nonce__: nonce });

/** The console: signed out, or a page in its shell. */
export function App() {
  return (
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={resolveVariables}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queries}>
          <Router base="/console">
            <Gate />
          </Router>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  );
}

function Gate() {
  const session = useSession();
  const userId = typeof session === 'object' ? session.user.id : undefined;
  useEffect(() => {
    // Answers to one user are not for the next one, who may have signed in beside this page.
    return () => {
      if (userId !== undefined) queries.clear();
    };
  }, [userId]);
  if (session === 'starting') return <StartingPage />;
  if (session === undefined) return <SignInPage />;
  if (session.user.must_change_password) {
    // Nothing else is answered to them: no page is asked for, and their address waits.
    return (
      <Suspense fallback={<StartingPage />}>
        <FirstPasswordPage />
      </Suspense>
    );
  }
  return (
    <Shell key={userId} routes={PAGES}>
      <Switch>
        {PAGES.filter((page) => mayOpen(page, session.user.role)).map(({ path, View }) => (
          <Route key={path} path={path}>
            <View />
          </Route>
        ))}
        <Route>
          <Redirect to="/" replace />
        </Route>
      </Switch>
    </Shell>
  );
}
