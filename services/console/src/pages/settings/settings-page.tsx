import { Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useCurrentUser } from '../../api/users';
import { Identifier } from '../../components/copy';
import { DangerButton } from '../../components/danger';
import { Facts } from '../../components/facts';
import { Page, Panel, Section } from '../../components/page';
import { QueryState } from '../../components/query-state';
import { Moment } from '../../components/values';
import { formatName } from '../../format/names';
import { viewersZone } from '../../format/time';
import { logOut } from '../../session/session';
import { ChangePassword } from './change-password';

/** Who you are here, your password and your sessions. */
export function SettingsPage() {
  const me = useCurrentUser();
  return (
    <Page title="Settings" sentence="Who you are here, your password and your sessions.">
      <Section title="You">
        <Panel>
          <QueryState query={me}>
            {(user) => (
              <Facts
                facts={[
                  ['Email', user.email],
                  ['Name', user.display_name],
                  ['Role', formatName(user.role)],
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
      <Section title="Password">
        <Panel>
          <ChangePassword />
        </Panel>
      </Section>
      <Section title="Sessions">
        <Panel>
          <EndSessions />
        </Panel>
      </Section>
    </Page>
  );
}

function EndSessions() {
  const end = useMutation({ mutationFn: () => logOut({ everywhere: true }) });
  return (
    <Stack gap="sm">
      <Text>
        Ends every session of yours, on every device, this one too. API keys go on working.
      </Text>
      <Group>
        <DangerButton
          label="Sign out everywhere"
          title="Sign out everywhere"
          verb="Sign out"
          change={end}
          onConfirm={(onSuccess) => end.mutate(undefined, { onSuccess })}
        >
          This browser is signed out too: you sign in again with your password.
        </DangerButton>
      </Group>
    </Stack>
  );
}
