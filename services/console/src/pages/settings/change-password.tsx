import { Alert, Button, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useChangePassword } from '../../api/users';
import { isPassword } from '../../components/checks';
import { Form } from '../../components/form';
import { logOut } from '../../session/session';
import { Mark } from '../../shell/mark';
import classes from '../sign-in/sign-in.module.css';

/** All there is for who has to change a first password; then the page that was asked for comes. */
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
          Log out
        </Button>
      </div>
    </main>
  );
}

const EMPTY = { current_password: '', new_password: '' };

export function ChangePassword(props: { readonly isFirst?: boolean }) {
  const change = useChangePassword();
  const form = useForm({
    initialValues: EMPTY,
    validate: {
      current_password: (value) => (value === '' ? 'Your current password' : null),
      new_password: isPassword,
    },
  });
  return (
    <Stack maw={420}>
      {change.isSuccess && (
        <Alert variant="outline" role="status">
          The password is changed.
        </Alert>
      )}
      <Form
        form={form}
        verb="Change password"
        isBusy={change.isPending}
        isUnchanged={form.values.current_password === '' && form.values.new_password === ''}
        error={change.error}
        onSubmit={(draft) => change.mutate(draft, { onSuccess: () => form.reset() })}
      >
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          autoFocus={props.isFirst === true}
          {...form.getInputProps('current_password')}
        />
        <PasswordInput
          label="New password"
          description="At least 8 characters, three of them different."
          autoComplete="new-password"
          {...form.getInputProps('new_password')}
        />
      </Form>
    </Stack>
  );
}
