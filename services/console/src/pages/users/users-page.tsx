import { Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useCreateUser, useOneUser, useUsers } from '../../api/users';
import { ACCOUNT_FILTER, AccountSelect } from '../../components/account-select';
import { isEmail, isPassword } from '../../components/checks';
import { Filters, TYPING_MS } from '../../components/filters';
import { Form } from '../../components/form';
import { ListView } from '../../components/list-view';
import { CreateDrawer, OpenedDrawer } from '../../components/overlay';
import { CreateButton, Page } from '../../components/page';
import { FirstPasswordInput } from '../../components/password-inputs';
import { ROLES } from '../../components/person';
import { QueryState } from '../../components/query-state';
import { ApiCall } from '../../components/snippets';
import { useOpenThing, useUrlState } from '../../url/url-state';
import { userColumns } from './columns';
import { UserDetails } from './user-details';

/** Everybody who may sign in, in any account. */
export function UsersPage() {
  const url = useUrlState();
  const open = useOpenThing();
  const [email] = useDebouncedValue(url.get('email'), TYPING_MS);
  const users = useUsers(url.get('account'), email);
  const opened = useOneUser(open.id);
  const add = <CreateButton open={open} label="Create user" />;
  return (
    <Page title="Users" sentence="Everybody who may sign in, in any account." action={add}>
      <Filters filters={[{ name: 'email', label: 'Email begins with' }, ACCOUNT_FILTER]} />
      <ListView
        query={users}
        label="Users"
        columns={userColumns}
        {...open.rows}
        empty={
          email === undefined
            ? { title: 'Nobody', text: 'Create a user in an account.', action: add }
            : { title: 'Nobody', text: `No email begins with ${email}.` }
        }
      />
      <CreateDrawer open={open} title="Create user">
        <CreateUser onDone={open.close} />
      </CreateDrawer>
      <OpenedDrawer open={open} title={opened.data?.email ?? 'User'}>
        {() => <QueryState query={opened}>{(user) => <UserDetails user={user} />}</QueryState>}
      </OpenedDrawer>
    </Page>
  );
}

function CreateUser(props: { readonly onDone: () => void }) {
  const create = useCreateUser();
  const form = useForm({
    initialValues: {
      email: '',
      password: '',
      account_id: '',
      role: 'member',
      must_change_password: true,
    },
    validate: {
      email: isEmail,
      password: isPassword,
      account_id: (value) => (value === '' ? 'Which account' : null),
    },
  });
  return (
    <Form
      form={form}
      verb="Create user"
      change={create}
      onCancel={props.onDone}
      onSubmit={({ role, ...draft }) =>
        create.mutate({ ...draft, role: role as 'member' }, { onSuccess: props.onDone })
      }
    >
      <TextInput label="Email" type="email" data-autofocus {...form.getInputProps('email')} />
      <FirstPasswordInput {...form.getInputProps('password')} />
      <AccountSelect
        label="Account"
        placeholder="Choose an account"
        {...form.getInputProps('account_id')}
      />
      <Select label="Role" data={ROLES} allowDeselect={false} {...form.getInputProps('role')} />
      <ApiCall method="POST" path="/v1/admin/users" body={{ ...form.values, password: '...' }} />
    </Form>
  );
}
