import { AppShell, Burger, Button, Group, NavLink, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { ChannelsPage } from './pages/channels-page';
import { KeysPage } from './pages/keys-page';
import { LoginPage } from './pages/login-page';
import { OverviewPage } from './pages/overview-page';
import { useSession } from './session/session';

interface ConsolePage {
  readonly hash: string;
  readonly label: string;
  readonly operatorOnly: boolean;
  readonly render: () => ReactNode;
}

const OVERVIEW: ConsolePage = {
  hash: '#overview',
  label: 'Overview',
  operatorOnly: false,
  render: () => <OverviewPage />,
};

const PAGES: readonly ConsolePage[] = [
  OVERVIEW,
  { hash: '#keys', label: 'API keys', operatorOnly: false, render: () => <KeysPage /> },
  { hash: '#channels', label: 'Channels', operatorOnly: true, render: () => <ChannelsPage /> },
];

/** The page is in the address, so that a reload and the back button keep their meaning. */
function useHash(): string {
  const [hash, setHash] = useState(window.location.hash);
  useEffect(() => {
    const update = () => setHash(window.location.hash);
    window.addEventListener('hashchange', update);
    return () => window.removeEventListener('hashchange', update);
  }, []);
  return hash;
}

/** Login, or the pages that the user may see. */
export function App() {
  const { session, logOut } = useSession();
  const hash = useHash();
  const [menuOpened, menu] = useDisclosure(false);
  const leaving = useMutation({ mutationFn: logOut });
  if (session === undefined) return <LoginPage />;
  const isOperator = session.user.role === 'operator';
  const pages = PAGES.filter((page) => isOperator || !page.operatorOnly);
  const current = pages.find((page) => page.hash === hash) ?? OVERVIEW;
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 200, breakpoint: 'sm', collapsed: { mobile: !menuOpened } }}
      padding="md"
    >
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group wrap="nowrap">
            <Burger
              opened={menuOpened}
              onClick={menu.toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label="Menu"
            />
            <Text fw={700}>Tollgate</Text>
          </Group>
          <Group wrap="nowrap" miw={0}>
            <Text size="sm" truncate>
              {session.user.email}
            </Text>
            <Button
              size="compact-sm"
              variant="default"
              flex="none"
              loading={leaving.isPending}
              onClick={() => leaving.mutate()}
            >
              Log out
            </Button>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs">
        {pages.map((page) => (
          <NavLink
            key={page.hash}
            href={page.hash}
            label={page.label}
            active={page.hash === current.hash}
            onClick={menu.close}
          />
        ))}
      </AppShell.Navbar>
      <AppShell.Main>{current.render()}</AppShell.Main>
    </AppShell>
  );
}
