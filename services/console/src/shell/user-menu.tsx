import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Check, ChevronsUpDown, LogOut, Settings } from 'lucide-react';
import { Link } from 'wouter';
import { logOut, useUser } from '../session/session';
import classes from './shell.module.css';

const SCHEMES = [
  ['auto', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

/** Who is signed in, light or dark, and the way out. */
export function UserMenu({ onFollow }: { readonly onFollow?: () => void }) {
  const user = useUser();
  return (
    <Menu position="top-start" width={260}>
      <Menu.Target>
        <UnstyledButton className={classes.user}>
          <span className={classes.userNames}>
            <span className={classes.userAccount}>{user.account.name}</span>
            <span className={classes.userEmail}>{user.email}</span>
          </span>
          <ChevronsUpDown size={15} aria-hidden="true" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <UserMenuItems onFollow={onFollow} />
      </Menu.Dropdown>
    </Menu>
  );
}

function UserMenuItems(props: { readonly onFollow: (() => void) | undefined }) {
  const user = useUser();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const leaving = useMutation({ mutationFn: () => logOut() });
  return (
    <>
      <Menu.Label>
        {user.account.name}
        <br />
        {user.email}
      </Menu.Label>
      <Menu.Item
        component={Link}
        href="/settings"
        leftSection={<Settings size={15} />}
        onClick={() => props.onFollow?.()}
      >
        Settings
      </Menu.Item>
      <Menu.Divider />
      <Menu.Label>Appearance</Menu.Label>
      {SCHEMES.map(([scheme, label]) => (
        <Menu.Item
          key={scheme}
          onClick={() => setColorScheme(scheme)}
          rightSection={colorScheme === scheme ? <Check size={14} /> : undefined}
        >
          {label}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item leftSection={<LogOut size={15} />} onClick={() => leaving.mutate()}>
        Sign out
      </Menu.Item>
    </>
  );
}
