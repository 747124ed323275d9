import { Anchor, Button, Code, Group, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { UserWithAccount } from '../../api/schemas';
import { useMakeResetCode, useUserAction } from '../../api/users';
import { Identifier } from '../../components/copy';
import { DangerButton } from '../../components/danger';
import { AsJson, Facts } from '../../components/facts';
import { Failure } from '../../components/failure';
import { PersonStatus } from '../../components/person';
import { SecretOnce } from '../../components/secret-once';
import { Moment } from '../../components/values';
import { formatName } from '../../format/names';
import { useUser } from '../../session/session';

/** One person, and what an operator can do about their access. */
export function UserDetails({ user }: { readonly user: UserWithAccount }) {
  const code = useMakeResetCode(user.id);
  if (code.data !== undefined) {
    return (
      <SecretOnce secret={code.data.code} what="code" onDone={() => code.reset()}>
        <Text>
          It sets a new password for {user.email}, once, and ends{' '}
          <Moment at={code.data.expires_at} />. Give it to them in a way that you trust. They type
          it at <Code>{`${window.location.origin}/console`}</Code> under “Forgotten your password?”.
        </Text>
        {code.data.user_status === 'disabled' && (
          <Text fw={550}>
            {user.email} is disabled: the code is refused until you enable them, which you can do
            after this.
          </Text>
        )}
        {code.data.account_status === 'suspended' && (
          <Text fw={550}>
            The account {user.account.name} is suspended: the password is taken, and every page and
            request is refused until the account is active again.
          </Text>
        )}
      </SecretOnce>
    );
  }
  return (
    <Stack gap="lg">
      <Actions user={user} code={code} />
      <Facts
        facts={[
          ['Name', user.display_name],
          [
            'Account',
            <Anchor
              key="account"
              component={Link}
              href={`/operator/accounts?open=${user.account.id}`}
            >
              {user.account.name}
            </Anchor>,
          ],
          ['Role', formatName(user.role)],
          ['Status', <PersonStatus key="status" status={user.status} />],
          ['User id', <Identifier key="id" id={user.id} />],
          ['Created', <Moment key="created" at={user.created_at} full />],
        ]}
      />
      <AsJson value={user} />
    </Stack>
  );
}

function Actions(props: {
  readonly user: UserWithAccount;
  readonly code: ReturnType<typeof useMakeResetCode>;
}) {
  const { user, code } = props;
  const me = useUser();
  const action = useUserAction(user.id);
  const isActive = user.status === 'active';
  // A dialog tells of its own failure.
  const error = code.error ?? (isActive ? null : action.error);
  return (
    <>
      <Group gap="xs">
        <Button variant="default" loading={code.isPending} onClick={() => code.mutate(undefined)}>
          Make a reset code
        </Button>
        <DangerButton
          label="End sessions"
          title={`End the sessions of ${user.email}`}
          verb="End sessions"
          change={action}
          onConfirm={(onSuccess) => action.mutate('end-sessions', { onSuccess })}
        >
          They are signed out on every device and may sign in again. API keys go on working.
        </DangerButton>
        {user.id !== me.id && isActive && (
          <DangerButton
            label="Disable"
            title={`Disable ${user.email}`}
            verb="Disable user"
            change={action}
            onConfirm={(onSuccess) => action.mutate('disable', { onSuccess })}
          >
            They are signed out on every device and cannot sign in until they are enabled. API keys
            that they made are refused meanwhile; other keys of {user.account.name} go on working.
          </DangerButton>
        )}
        {user.id !== me.id && !isActive && (
          <Button
            variant="default"
            loading={action.isPending}
            onClick={() => action.mutate('enable')}
          >
            Enable
          </Button>
        )}
      </Group>
      {error !== null && <Failure error={error} />}
      {!isActive && (
        <Text c="dimmed" size="sm">
          Disabled: no password and no reset code lets them in until they are enabled.
        </Text>
      )}
    </>
  );
}
