import { Button, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { logOut } from '../../session/session';
import { Mark } from '../../shell/mark';
import { ChangePassword } from '../settings/change-password';
import classes from './sign-in.module.css';

/** The only page until a first password is changed; then the page that was asked for comes. */
export function FirstPasswordPage() {
  const leave = useMutation({ mutationFn: () => logOut() });
  return (
    <main className={classes.page}>
      <title>Choose a password · Tollgate</title>
      <div className={classes.box}>
        <div className={classes.head}>
          <Mark />
          <Title order={1}>Choose a password of your own</Title>
          <Text c="dimmed">The one that you were given was for this first time only.</Text>
        </div>
        <ChangePassword isFirst />
        <Button variant="subtle" loading={leave.isPending} onClick={() => leave.mutate()}>
          Sign out
        </Button>
      </div>
    </main>
  );
}
