import { Alert, Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useChangePassword, useCurrentUser } from '../../api/users';
import { isPassword } from '../../components/checks';
import { Identifier } from '../../components/copy';
import { Form } from '../../components/form';
import { Page, Panel, Section } from '../../components/page';
import { Failure, QueryState } from '../../components/query-state';
import { Facts } from '../../components/side-drawer';
import { Moment } from '../../components/values';
import { viewersZone } from '../../format/time';
import { toWords } from '../../format/words';
import { logOut, useUser } from '../../session/session';

/** Who you are here, your password and your sessions. */
export function SettingsPage() {
  const me = useCurrentUser();
  // At a first sign-in it is the only thing to do here, and it stays in its place when it is done.
  const [isFirst] = useState(useUser().must_change_password);
  return (
    <Page title="Settings" sentence="Who you are here, your password and your sessions.">
      {isFirst && <Password />}
      <Section title="You">
        <Panel>
          <QueryState query={me}>
            {(user) => (
              <Facts
                facts={[
                  ['Email', user.email],
                  ['Name', user.display_name],
                  ['Role', toWords(user.role)],
                  ['Account', user.account.name],
                  ['Account id', <Identifier key="id" id={user.account.id} what="account id" />],
                  ['Joined', <Moment key="joined" at={user.created_at} full />],
                  ['Times are shown in', viewersZone()],
                ]}
              />
            )}
          </QueryState>
        </Panel>
      </Section>
      {!isFirst && <Password />}
      <Section title="Sessions">
        <Panel>
          <EndSessions />
        </Panel>
      </Section>
    </Page>
  );
}

function Password() {
  return (
    <Section title="Password">
      <Panel>
        <ChangePassword />
      </Panel>
    </Section>
  );
}

const EMPTY = { current_password: '', new_password: '' };

function ChangePassword() {
  const me = useUser();
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
      {me.must_change_password && (
        <Alert variant="outline" color="var(--toll-warn)" role="status">
          Choose a password of your own to go on.
        </Alert>
      )}
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
          {...form.getInputProps('current_password')}
        />
        <PasswordInput
          label="New password"
          autoComplete="new-password"
          {...form.getInputProps('new_password')}
        />
      </Form>
    </Stack>
  );
}

function EndSessions() {
  const end = useMutation({ mutationFn: () => logOut({ everywhere: true }) });
  return (
    <Stack gap="sm">
      <Text>
        Ends every session of yours, on every device, this one too. API keys go on working.
      </Text>
      {end.error !== null && <Failure error={end.error} />}
      <Group>
        <Button variant="default" loading={end.isPending} onClick={() => end.mutate()}>
          Log out everywhere
        </Button>
      </Group>
    </Stack>
  );
}
