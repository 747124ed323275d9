import { Button, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error';
import { useResetPassword, useSignInProviders } from '../../api/users';
import { isPassword } from '../../components/checks';
import { More } from '../../components/form';
import { Failure } from '../../components/query-state';
import { logIn, logInWithCode } from '../../session/session';
import { Mark } from '../../shell/mark';
import { useUrlState } from '../../url/url-state';
import classes from './sign-in.module.css';

/** Email and password, or a provider; a person who was sent its address arrives there. */
export function SignInPage() {
  const arriving = useArrival();
  return (
    <main className={classes.page}>
      <title>Sign in · Tollgate</title>
      <div className={classes.box}>
        <div className={classes.head}>
          <Mark />
          <Title order={1}>Sign in to Tollgate</Title>
        </div>
        {arriving.error !== null && <Failure error={describeArrival(arriving.error)} />}
        <PasswordForm isBusy={arriving.isPending} />
        <Providers />
        <ResetPassword />
      </div>
    </main>
  );
}

/** A provider sends people back with a one-time code in the address. */
function useArrival() {
  const url = useUrlState();
  const code = url.get('code');
  const arrival = useMutation({ mutationFn: logInWithCode });
  const used = useRef<string>(undefined);
  useEffect(() => {
    if (code === undefined || used.current === code) return;
    used.current = code;
    url.set({ code: undefined }, { replace: true });
    arrival.mutate(code);
  }, [code, url, arrival]);
  return arrival;
}

/** The API says of a code what it says of every credential; here somebody came back with it. */
function describeArrival(error: Error): Error {
  const isOver = error instanceof ApiError && error.status === 401;
  return isOver ? new Error('This sign-in is over, or was used before. Begin it again.') : error;
}

function PasswordForm(props: { readonly isBusy: boolean }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const login = useMutation({ mutationFn: () => logIn(email, password) });
  const first = useRef<HTMLInputElement>(null);
  // Nobody comes here for anything else.
  useEffect(() => first.current?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    login.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {login.error !== null && <Failure error={login.error} />}
        <TextInput
          ref={first}
          label="Email"
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" loading={login.isPending || props.isBusy}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

function Providers() {
  const { data } = useSignInProviders();
  if (data === undefined || data.items.length === 0) return null;
  const back = encodeURIComponent(`${window.location.pathname}${window.location.search}`);
  return (
    <Stack gap="xs">
      {data.items.map(({ id, name }) => (
        <Button
          key={id}
          component="a"
          variant="default"
          href={`/v1/oauth/login?provider=${encodeURIComponent(id)}&redirect_to=${back}`}
        >
          Continue with {name}
        </Button>
      ))}
    </Stack>
  );
}

/** Whoever runs the deployment tells a code to those who forgot their password. */
function ResetPassword() {
  const reset = useResetPassword();
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const fault = isPassword(password);
    setWrong(fault);
    if (fault === null) reset.mutate({ code: code.trim(), new_password: password });
    else field.current?.focus();
  };
  return (
    <More label="Forgotten your password?">
      <Text c="dimmed" size="sm">
        Ask whoever runs this Tollgate for a code: it sets a new one.
      </Text>
      {reset.isSuccess ? (
        <Text role="status">The password is set. Sign in with it.</Text>
      ) : (
        <form onSubmit={submit}>
          <Stack>
            {reset.error !== null && <Failure error={reset.error} />}
            <TextInput
              label="Code"
              autoComplete="one-time-code"
              required
              withAsterisk={false}
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
            />
            <PasswordInput
              ref={field}
              label="New password"
              description="At least 8 characters, three of them different."
              error={wrong}
              autoComplete="new-password"
              required
              withAsterisk={false}
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
            <Button type="submit" variant="default" loading={reset.isPending}>
              Set password
            </Button>
          </Stack>
        </form>
      )}
    </More>
  );
}
