import { Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { type AccountSearch, useAccounts, useCreateAccount } from '../../api/accounts';
import { usePlans } from '../../api/billing';
import type { Account } from '../../api/schemas';
import { isEmail, isName, isPassword } from '../../components/checks';
import { type Filter, Filters, TYPING_MS } from '../../components/filters';
import { Form } from '../../components/form';
import { ListView } from '../../components/list-view';
import { CreateDrawer, OpenedDrawer } from '../../components/overlay';
import { CreateButton, Page } from '../../components/page';
import { FirstPasswordInput } from '../../components/password-inputs';
import { ApiCall } from '../../components/snippets';
import { toOptions } from '../../format/names';
import { useOpenThing, useUrlState } from '../../url/url-state';
import { AccountDetails } from './account-details';
import { accountColumns } from './columns';

const STATUSES = {
  active: 'Active',
  suspended: 'Suspended',
  erasing: 'Erasing',
  erased: 'Erased',
} satisfies Record<Account['status'], string>;
const FILTERS: readonly Filter[] = [
  { name: 'name', label: 'Name or email' },
  {
    name: 'status',
    label: 'Status',
    isClosed: true,
    options: Object.entries(STATUSES).map(([value, label]) => ({ value, label })),
  },
];

/** The customers of the deployment. */
export function AccountsPage() {
  const url = useUrlState();
  const [sought] = useDebouncedValue(url.get('name'), TYPING_MS);
  const asked = url.get('status') ?? '';
  const status = Object.hasOwn(STATUSES, asked) ? (asked as Account['status']) : undefined;
  const accounts = useAccounts({
    ...toSearch(sought),
    ...(status === undefined ? {} : { status }),
  });
  const open = useOpenThing();
  const add = <CreateButton open={open} label="Create account" />;
  return (
    <Page title="Accounts" sentence="Who is charged, limited and suspended." action={add}>
      <Filters filters={FILTERS} />
      <ListView
        query={accounts}
        label="Accounts"
        columns={accountColumns}
        {...open.rows}
        empty={
          status !== undefined
            ? { title: 'None', text: 'No account fits. Take a filter away to see more.' }
            : sought === undefined
              ? { title: 'No accounts yet', text: 'Create one for each customer.', action: add }
              : { title: 'None', text: `No name begins with ${sought}, and nobody has this email.` }
        }
      />
      <CreateDrawer open={open} title="Create account">
        <CreateAccount onCreated={open.show} onCancel={open.close} />
      </CreateDrawer>
      <OpenedDrawer open={open} title={open.find(accounts.data)?.name ?? 'Account'}>
        {(id) => <AccountDetails id={id} />}
      </OpenedDrawer>
    </Page>
  );
}

/** The beginning of a name, or the whole email of one of its people. */
function toSearch(sought: string | undefined): AccountSearch {
  if (sought === undefined) return {};
  return sought.includes('@') ? { email: sought } : { name: sought };
}

function CreateAccount(props: {
  readonly onCreated: (id: string) => void;
  readonly onCancel: () => void;
}) {
  const create = useCreateAccount();
  const plans = usePlans();
  const form = useForm({
    initialValues: {
      name: '',
      plan: 'free',
      owner: { email: '', password: '', must_change_password: true },
    },
    validate: { name: isName, owner: { email: isEmail, password: isPassword } },
  });
  return (
    <Form
      form={form}
      verb="Create account"
      change={create}
      onCancel={props.onCancel}
      onSubmit={(draft) => create.mutate(draft, { onSuccess: ({ id }) => props.onCreated(id) })}
    >
      <TextInput label="Name" data-autofocus {...form.getInputProps('name')} />
      <Select
        label="Plan"
        data={toOptions(plans.data?.items)}
        allowDeselect={false}
        {...form.getInputProps('plan')}
      />
      <TextInput label="Owner's email" type="email" {...form.getInputProps('owner.email')} />
      <FirstPasswordInput
        label="Owner's first password"
        {...form.getInputProps('owner.password')}
      />
      <ApiCall
        method="POST"
        path="/v1/admin/accounts"
        body={{ ...form.values, owner: { ...form.values.owner, password: '...' } }}
      />
    </Form>
  );
}
