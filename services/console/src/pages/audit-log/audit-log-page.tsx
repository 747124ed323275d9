import { Code, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useAccounts } from '../../api/accounts';
import { type AuditLogFilter, useAuditLog, useAuditLogWrite } from '../../api/audit-log';
import { useCurrency } from '../../api/billing';
import { useChannels } from '../../api/channels';
import { useKeys } from '../../api/keys';
import type { AnyUser, AuditLogEntry } from '../../api/schemas';
import { useUsers } from '../../api/users';
import { ACCOUNT_FILTER } from '../../components/account-select';
import { Identifier } from '../../components/copy';
import { DataTable } from '../../components/data-table';
import { AsJson, Facts, fact } from '../../components/facts';
import { Filters, TYPING_MS } from '../../components/filters';
import { ListView } from '../../components/list-view';
import { DrawerSection, OpenedDrawer } from '../../components/overlay';
import { Page } from '../../components/page';
import { QueryState } from '../../components/query-state';
import { AccountLink } from '../../components/thing-links';
import { Moment } from '../../components/values';
import { formatName, idByName, type Named, nameById, withOwnNames } from '../../format/names';
import { NOTHING } from '../../format/quantity';
import { useOpenThing, useUrlState } from '../../url/url-state';
import { describeWrite, listChanges } from './changes';
import { type ActorNames, auditLogColumns, changeColumns, describeActor } from './columns';
import { describeOperation } from './describe-operation';

/** Who changed what, when and from where. */
export function AuditLogPage() {
  const open = useOpenThing();
  const url = useUrlState();
  const [actor] = useDebouncedValue(url.get('actor'), TYPING_MS);
  const [resource] = useDebouncedValue(url.get('resource'), TYPING_MS);
  const { names, people, things } = useNamed(actor, resource);
  const filter = toFilter({
    account_id: url.get('account'),
    actor: actor && idByName(people, actor),
    resource_id: resource && idByName(things, resource),
  });
  const log = useAuditLog(filter);
  const opened = open.find(log.data);
  return (
    <Page
      title="Audit log"
      sentence="Who changed what, when and from where; no secrets stand here."
    >
      <Filters
        filters={[
          ACCOUNT_FILTER,
          {
            name: 'actor',
            label: 'Written by',
            hint: 'By: email, key, id',
            suggested: people.map(({ name }) => name),
          },
          {
            name: 'resource',
            label: 'What changed',
            hint: 'Of: name or id',
            suggested: things.map(({ name }) => name),
          },
        ]}
      />
      <ListView
        query={log}
        label="Audit log"
        columns={auditLogColumns(names)}
        {...open.rows}
        empty={
          Object.keys(filter).length > 0
            ? { title: 'No write fits', text: 'Take a filter away to see more.' }
            : { title: 'Nothing written yet', text: 'Every change through the API stands here.' }
        }
      />
      <OpenedDrawer
        open={open}
        title={opened === undefined ? 'Write' : describeOperation(opened.operation)}
      >
        {(id) => <Write id={id} names={names} />}
      </OpenedDrawer>
    </Page>
  );
}

/** The names of those who write and of the things that are written, with what is sought of each. */
function useNamed(actor: string | undefined, resource: string | undefined) {
  const accounts = useAccounts().data ?? [];
  const emails = nameUsers(useUsers().data);
  const foundThings = [...useFoundAccounts(resource), ...useFoundUsers(resource)];
  const keys = useKeys().data ?? [];
  const channels = useChannels().data ?? [];
  const named: Readonly<Record<string, readonly Named[]>> = { channels, accounts, keys };
  const names: ActorNames = {
    user: (id) => nameById(emails, id),
    key: (id) => keys.find((key) => key.id === id)?.name,
    resource({ type, id }) {
      if (type === 'models') return id ?? undefined;
      return (type === 'users' ? emails : named[type])?.find((one) => one.id === id)?.name;
    },
  };
  return {
    names,
    people: withOwnNames([...emails, ...useFoundUsers(actor), ...keys]),
    things: withOwnNames([...accounts, ...channels, ...keys, ...emails, ...foundThings]),
  };
}

function nameUsers(users: readonly AnyUser[] | undefined): readonly Named[] {
  return (users ?? []).map(({ id, email }) => ({ id, name: email }));
}

/** Those of the filters that are set. */
function toFilter(given: Readonly<Record<keyof AuditLogFilter, string | undefined>>) {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** The list may not have all people: an email is looked for by itself. */
function useFoundUsers(text: string | undefined): readonly Named[] {
  return nameUsers(useUsers(undefined, text?.includes('@') ? text : undefined).data);
}

/** Nor does it have all accounts: what is written may be the name of another one. */
function useFoundAccounts(text: string | undefined): readonly Named[] {
  return useAccounts(text === undefined ? {} : { name: text }).data ?? [];
}

/** The thing that was written, unless it is the account, which is named beside it already. */
function toResourceFacts({ account_id, resource: { type, id } }: AuditLogEntry) {
  if (type === 'accounts' && id === account_id) return [];
  const named = id === null ? NOTHING : <Identifier key="resource" id={id} />;
  return fact(formatName(type), named);
}

function Write(props: { readonly id: string; readonly names: ActorNames }) {
  const { id, names } = props;
  const write = useAuditLogWrite(id);
  const currency = useCurrency();
  return (
    <QueryState query={write}>
      {(data) => {
        const changes = listChanges(data.operation, data);
        return (
          <Stack gap="lg">
            <Facts
              facts={[
                [
                  'What',
                  describeWrite(data.operation, data, names.resource(data.resource), currency),
                ],
                ['Operation', <Code key="operation">{data.operation}</Code>],
                ['By', describeActor(data, names)],
                ...fact('Account', data.account_id && <AccountLink id={data.account_id} />),
                ['From', data.address],
                ['When', <Moment key="at" at={data.at} full />],
                ['Outcome', formatName(data.outcome)],
                ...toResourceFacts(data),
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
