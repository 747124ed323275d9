import { Anchor, MantineProvider, Text, Title } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import { Link, Redirect, Route, Router, Switch, useLocation } from 'wouter';
import { createQueryClient } from './api/queries';
import { PAGES } from './pages/pages';
import { SignInPage } from './pages/sign-in/sign-in-page';
import { type SessionState, useSession, useUser } from './session/session';
import {
  describeNoPage,
  firstPageOf,
  hrefOfStory,
  lazyPage,
  mayOpen,
  STORY_PATHS,
} from './shell/page-route';
import { Shell } from './shell/shell';
import classes from './shell/shell.module.css';
import { StartingPage } from './shell/starting-page';
import { resolveVariables, styleNonce, theme } from './theme/theme';

const FirstPasswordPage = lazyPage(
  async () => (await import('./pages/sign-in/first-password-page')).FirstPasswordPage,
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

/** Without the address of a page a user begins with the first page of their role. */
function useFirstPage(session: SessionState): void {
  const [path, navigate] = useLocation();
  const wasSignedOut = useRef(false);
  useLayoutEffect(() => {
    if (session === undefined) wasSignedOut.current = true;
    if (typeof session !== 'object' || !wasSignedOut.current) return;
    wasSignedOut.current = false;
    if (path === '/') navigate(firstPageOf(session.user.role), { replace: true });
  }, [session, path, navigate]);
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
  useFirstPage(session);
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
        {STORY_PATHS.map((path) => (
          <Route key={path} path={path}>
            {({ id = '' }) => <Redirect to={hrefOfStory(session.user.role, id)} replace />}
          </Route>
        ))}
        <Route>
          <NoPage />
        </Route>
      </Switch>
    </Shell>
  );
}

/** An address that leads nowhere stays as it was written, so that it can be mended. */
function NoPage() {
  const [path] = useLocation();
  const { role } = useUser();
  const first = PAGES.find((route) => route.path === firstPageOf(role));
  const { title, text } = describeNoPage(path, PAGES);
  return (
    <div className={classes.away}>
      <title>{`${title} · Tollgate`}</title>
      <Title order={1}>{title}</Title>
      <Text c="dimmed">{text}</Text>
      <Anchor component={Link} href={first?.path ?? '/'}>
        Go to {first?.label ?? 'the first page'}
      </Anchor>
    </div>
  );
}
