import { Button, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { type FormEvent, Suspense, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error';
import { useSignInProviders } from '../../api/users';
import { isEmail } from '../../components/checks';
import { Failure } from '../../components/failure';
import { More, useFirstFault } from '../../components/form';
import { logIn, logInWithCode } from '../../session/session';
import { Mark } from '../../shell/mark';
import { lazyPage } from '../../shell/page-route';
import { useUrlState } from '../../url/url-state';
import classes from './sign-in.module.css';

// Few need this page, and it needs the library of forms.
const ResetPassword = lazyPage(async () => (await import('./reset-password')).ResetPassword);

/** Email and password, or a provider; a person who was sent its address arrives there. */
export function SignInPage() {
  const arriving = useArrival();
  const login = useMutation({ mutationFn: logInWithPassword });
  // What went wrong before is over once somebody takes another way.
  const forget = () => {
    arriving.reset();
    login.reset();
  };
  return (
    <main className={classes.page}>
      <title>Sign in · Tollgate</title>
      <div className={classes.box}>
        <div className={classes.head}>
          <Mark />
          <Title order={1}>Sign in to Tollgate</Title>
        </div>
        {arriving.error !== null && <Failure error={describeArrival(arriving.error)} />}
        <PasswordForm login={login} isBusy={arriving.isPending} />
        <Providers />
        <Forgotten onOpen={forget} />
      </div>
    </main>
  );
}

/**
 * A provider sends people back with a one-time code in the address of any page: none may keep
 * something else under the name `code`.
 */
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

interface Credentials {
  readonly email: string;
  readonly password: string;
}

function logInWithPassword({ email, password }: Credentials): Promise<void> {
  return logIn(email, password);
}

/** What is wrong with each field; nothing is before somebody presses the button. */
const NO_FAULTS: Readonly<Record<keyof Credentials, string | null>> = {
  email: null,
  password: null,
};

function PasswordForm(props: {
  readonly login: UseMutationResult<void, Error, Credentials>;
  readonly isBusy: boolean;
}) {
  const { login } = props;
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [faults, setFaults] = useState(NO_FAULTS);
  const { element, show } = useFirstFault();
  const first = useRef<HTMLInputElement>(null);
  // Nobody comes here for anything else.
  useEffect(() => first.current?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = {
      email: isEmail(email),
      password: password === '' ? 'Write your password' : null,
    };
    setFaults(found);
    if (found.email === null && found.password === null) login.mutate({ email, password });
    else show();
  };
  return (
    <form ref={element} onSubmit={submit} noValidate>
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
          error={faults.email}
          onChange={(event) => {
            setEmail(event.currentTarget.value);
            setFaults({ ...faults, email: null });
          }}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          error={faults.password}
          onChange={(event) => {
            setPassword(event.currentTarget.value);
            setFaults({ ...faults, password: null });
          }}
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

/** For a user who forgot the password: an operator tells them a code for a new one. */
function Forgotten(props: { readonly onOpen: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const open = () => {
    setOpen(true);
    props.onOpen();
  };
  return (
    <More label="Forgotten your password?" onOpen={open}>
      <Text c="dimmed" size="sm">
        Ask whoever runs this Tollgate for a code: it sets a new one.
      </Text>
      <Suspense>{isOpen && <ResetPassword />}</Suspense>
    </More>
  );
}
