import { Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { Member } from '../../api/schemas';
import {
  useAddMember,
  useMember,
  useMembers,
  useRemoveMember,
  useUpdateMember,
} from '../../api/users';
import { isEmail, isPassword } from '../../components/checks';
import { Danger, DangerButton } from '../../components/danger';
import { AsJson, Facts } from '../../components/facts';
import { Form } from '../../components/form';
import { ListView } from '../../components/list-view';
import { CreateDrawer, OpenedDrawer } from '../../components/overlay';
import { CreateButton, Page } from '../../components/page';
import { FirstPasswordInput } from '../../components/password-inputs';
import { ROLES } from '../../components/person';
import { QueryState } from '../../components/query-state';
import { ApiCall } from '../../components/snippets';
import { Moment } from '../../components/values';
import { formatName } from '../../format/names';
import { useUser } from '../../session/session';
import { useOpenThing } from '../../url/url-state';
import { memberColumns } from './columns';

/** The people of the account. */
export function TeamPage() {
  const members = useMembers();
  const open = useOpenThing();
  const add = <CreateButton open={open} label="Add member" />;
  const opened = useMember(open.id);
  return (
    <Page title="Team" sentence="Who may sign in to this account." action={add}>
      <ListView
        query={members}
        label="Members"
        columns={memberColumns}
        {...open.rows}
        empty={{ title: 'Nobody yet', text: 'Add the people of this account.', action: add }}
      />
      <CreateDrawer open={open} title="Add member">
        <AddMember onDone={open.close} />
      </CreateDrawer>
      <OpenedDrawer open={open} title={opened.data?.email ?? 'Member'}>
        {() => (
          <QueryState query={opened}>
            {(member) => <MemberDetails member={member} onGone={open.close} />}
          </QueryState>
        )}
      </OpenedDrawer>
    </Page>
  );
}

function AddMember({ onDone }: { readonly onDone: () => void }) {
  const add = useAddMember();
  const form = useForm({
    initialValues: { email: '', password: '', role: 'member', must_change_password: true },
    validate: { email: isEmail, password: isPassword },
  });
  return (
    <Form
      form={form}
      verb="Add member"
      change={add}
      onCancel={onDone}
      onSubmit={({ role, ...draft }) =>
        add.mutate({ ...draft, role: role as 'member' }, { onSuccess: onDone })
      }
    >
      <TextInput label="Email" type="email" data-autofocus {...form.getInputProps('email')} />
      <FirstPasswordInput {...form.getInputProps('password')} />
      <Select label="Role" data={ROLES} allowDeselect={false} {...form.getInputProps('role')} />
      <ApiCall
        method="POST"
        path="/v1/account/members"
        body={{ ...form.values, password: '...' }}
      />
    </Form>
  );
}

function MemberDetails(props: { readonly member: Member; readonly onGone: () => void }) {
  const { member, onGone } = props;
  const me = useUser();
  const remove = useRemoveMember(member.id);
  return (
    <>
      <Facts
        facts={[
          ['Name', member.display_name],
          ['Role', formatName(member.role)],
          ['Status', formatName(member.status)],
          ['Joined', <Moment key="joined" at={member.created_at} full />],
        ]}
      />
      {member.id !== me.id && member.role !== 'operator' && <ChangeRole member={member} />}
      {member.id !== me.id && (
        <div>
          <DangerButton
            label="Remove"
            isFinal
            title={`Remove ${member.email}`}
            verb="Remove member"
            change={remove}
            onConfirm={() => remove.mutate(undefined, { onSuccess: onGone })}
          >
            They are signed out and cannot sign in again. API keys that they made are revoked at
            once: whatever uses one fails.
          </DangerButton>
        </div>
      )}
      <AsJson value={member} />
    </>
  );
}

function ChangeRole({ member }: { readonly member: Member }) {
  const update = useUpdateMember(member.id);
  const [chosen, setChosen] = useState<(typeof ROLES)[number]['value']>();
  const close = () => {
    setChosen(undefined);
    update.reset();
  };
  const nameRole = (role: string | undefined) => ROLES.find(({ value }) => value === role)?.label;
  return (
    <>
      <Select
        label="Role"
        data={ROLES}
        value={member.role}
        allowDeselect={false}
        onChange={(value) => {
          if (value !== member.role) setChosen(ROLES.find((one) => one.value === value)?.value);
        }}
      />
      <Danger
        isOpen={chosen !== undefined}
        title={`Change the role of ${member.email}`}
        verb="Change role"
        change={update}
        onClose={close}
        onConfirm={() => {
          if (chosen !== undefined) update.mutate({ role: chosen }, { onSuccess: close });
        }}
      >
        Before: {nameRole(member.role)}. After: <b>{nameRole(chosen)}</b>.
      </Danger>
    </>
  );
}
