import { Code, Stack } from '@mantine/core';
import { useAccounts } from '../../api/accounts';
import { useAuditLog, useAuditLogWrite } from '../../api/audit-log';
import { useChannels } from '../../api/channels';
import { useKeys } from '../../api/keys';
import { useUsers } from '../../api/users';
import { Identifier } from '../../components/copy';
import { DataTable } from '../../components/data-table';
import { Filters } from '../../components/filters';
import { ListView } from '../../components/list-view';
import { Page } from '../../components/page';
import { QueryState } from '../../components/query-state';
import { AsJson, DrawerSection, Facts, fact, SideDrawer } from '../../components/side-drawer';
import { AccountLink } from '../../components/thing-links';
import { Moment } from '../../components/values';
import { formatName, nameById } from '../../format/names';
import { NOTHING } from '../../format/quantity';
import { useOpenThing } from '../../url/open-thing';
import { useUrlState } from '../../url/url-state';
import { describeWrite, listChanges } from './changes';
import { type ActorNames, auditLogColumns, changeColumns, describeActor } from './columns';
import { describeOperation } from './describe-operation';

interface NamedList {
  readonly data: readonly { readonly id: string; readonly name: string }[] | undefined;
}

/** Who changed what, when and from where. */
export function AuditLogPage() {
  const url = useUrlState();
  const open = useOpenThing();
  const accounts = useAccounts();
  const users = useUsers();
  const keys = useKeys();
  const channels = useChannels();
  const named: Readonly<Record<string, NamedList>> = { channels, accounts, keys };
  const names: ActorNames = {
    user: (id) => users.data?.find((user) => user.id === id)?.email ?? id,
    account: (id) => nameById(accounts.data, id),
    key: (id) => keys.data?.find((key) => key.id === id)?.name,
    resource({ type, id }) {
      if (type === 'models') return id ?? undefined;
      if (type === 'users') return users.data?.find((user) => user.id === id)?.email;
      return named[type]?.data?.find((one) => one.id === id)?.name;
    },
  };
  const given = {
    account_id: url.get('account'),
    actor: url.get('actor'),
    resource_id: url.get('resource'),
  };
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  const log = useAuditLog(Object.fromEntries(set));
  const opened = log.data?.find(({ id }) => id === open.id);
  return (
    <Page
      title="Audit log"
      sentence="Who changed what, when and from where; no secrets stand here."
    >
      <Filters
        filters={[
          {
            name: 'account',
            label: 'Account',
            options: (accounts.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
          },
          { name: 'actor', label: 'Id of user or key' },
          { name: 'resource', label: 'Id of what changed' },
        ]}
      />
      <ListView
        query={log}
        label="Audit log"
        columns={auditLogColumns(names)}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => open.hrefOf(id)}
        empty={
          set.length > 0
            ? { title: 'No write fits', text: 'Take a filter away to see more.' }
            : { title: 'Nothing written yet', text: 'Every change through the API stands here.' }
        }
      />
      <SideDrawer
        isOpen={open.id !== undefined}
        title={opened === undefined ? 'Write' : describeOperation(opened.operation)}
        onClose={open.close}
      >
        {open.id !== undefined && <Write id={open.id} names={names} />}
      </SideDrawer>
    </Page>
  );
}

function Write(props: { readonly id: string; readonly names: ActorNames }) {
  const { id, names } = props;
  const write = useAuditLogWrite(id);
  return (
    <QueryState query={write}>
      {(data) => {
        const changes = listChanges(data.operation, data);
        return (
          <Stack gap="lg">
            <Facts
              facts={[
                ['What', describeWrite(data.operation, data, names.resource(data.resource))],
                ['Operation', <Code key="operation">{data.operation}</Code>],
                ['By', describeActor(data, names)],
                ...fact('Account', data.account_id && <AccountLink id={data.account_id} />),
                ['From', data.address],
                ['When', <Moment key="at" at={data.at} full />],
                ['Outcome', formatName(data.outcome)],
                [formatName(data.resource.type), data.resource.id ?? NOTHING],
                ['Request', <Identifier key="request" id={data.request_id} />],
              ]}
            />
            {changes.length > 0 && (
              <DrawerSection title="What it changed">
                <DataTable
                  label="What it changed"
                  rows={changes}
                  columns={changeColumns}
                  keyOf={({ name }) => name}
                />
              </DrawerSection>
            )}
            <AsJson value={data} />
          </Stack>
        );
      }}
    </QueryState>
  );
}
