import { Anchor, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import {
  type ExportFormat,
  fetchAccountExport,
  useAccount,
  useAccountBalance,
  useAccountKeys,
  useAccountLedger,
  useAccountMembers,
  useEraseAccount,
  useUpdateAccount,
} from '../../api/accounts';
import { makeIdempotencyKey } from '../../api/client';
import type { Account } from '../../api/schemas';
import { useUsage } from '../../api/stats';
import { describeStart, queryOf } from '../../charts/range';
import { Identifier } from '../../components/copy';
import { Danger, DangerButton } from '../../components/danger';
import { describeLimits } from '../../components/drafts';
import { AsJson, type Fact, Facts } from '../../components/facts';
import { Failure } from '../../components/failure';
import { More } from '../../components/form';
import { ListView } from '../../components/list-view';
import { DrawerSection } from '../../components/overlay';
import { QueryState } from '../../components/query-state';
import { saveText } from '../../components/save-text';
import { Stat, Stats } from '../../components/stat';
import { Balance, Moment, Money, useNow } from '../../components/values';
import { formatNumberOf } from '../../format/quantity';
import { useUser } from '../../session/session';
import { BalanceSum } from '../billing/balance-sum';
import { ENTRIES_FIRST, isFree, ledgerColumns } from '../billing/columns';
import {
  dailySpendOf,
  describeOutlook,
  RESERVED_NOTE,
  spendsNoMore,
  startOfPace,
} from '../billing/describe-balance';
import { keyColumns } from '../keys/columns';
import { memberColumns } from '../team/columns';
import { AccountStatus, PlanName } from './columns';
import { EditAccount } from './edit-account';
import { MoneyForm } from './money-form';

/** One customer: what they have and use, who they are, and what an operator can do for them. */
export function AccountDetails({ id }: { readonly id: string }) {
  const account = useAccount(id);
  return (
    <QueryState query={account}>
      {(data) => (
        <Stack gap="lg">
          {isKept(data) && <Actions account={data} />}
          <Figures account={data} />
          <Facts
            facts={[
              ['Status', <AccountStatus key="status" account={data} />],
              ['Plan', <PlanName key="plan" plan={data.plan} />],
              ['Account id', <Identifier key="id" id={data.id} />],
              ...toTerms(data.overrides),
              ['Created', <Moment key="created" at={data.created_at} full />],
            ]}
          />
          {isKept(data) && (
            <DrawerSection title="Settings">
              <More label="Change settings">
                <EditAccount account={data} />
              </More>
            </DrawerSection>
          )}
          <Lists id={data.id} />
          {isKept(data) && <DangerZone account={data} />}
          <AsJson value={data} />
        </Stack>
      )}
    </QueryState>
  );
}

/** Whether there is more of the account than numbers: nothing can be done with an erased one. */
function isKept({ status }: Account): boolean {
  return status === 'active' || status === 'suspended';
}

/** Nobody ends the account that they are signed in to. */
function useIsOwn(account: Account): boolean {
  return useUser().account.id === account.id;
}

function DangerZone({ account }: { readonly account: Account }) {
  const isOwn = useIsOwn(account);
  return (
    <DrawerSection title="Danger">
      {isOwn ? (
        <Text c="dimmed" size="sm">
          This is your own account. An operator of another account can suspend or erase it.
        </Text>
      ) : (
        <EraseAccount account={account} />
      )}
    </DrawerSection>
  );
}

/** Erasing cannot be undone: the name of the account has to be typed. */
function EraseAccount({ account }: { readonly account: Account }) {
  const members = useAccountMembers(account.id);
  const balance = useAccountBalance(account.id);
  const erase = useEraseAccount(account.id);
  // The same key for every try, so that one that was not answered is no second erasure.
  const [idempotencyKey] = useState(makeIdempotencyKey);
  const people =
    members.data === undefined
      ? 'Its people'
      : formatNumberOf(members.data.length, 'person', 'people');
  return (
    <Stack gap="xs" align="flex-start">
      <Text c="dimmed" size="sm">
        Removes its people, keys, webhooks and channels for good. Its charges and credits stay as
        numbers without names. Export it first if somebody may ask for it.
      </Text>
      <DangerButton
        label="Erase account"
        isFinal
        title={`Erase the account “${account.name}”`}
        verb="Erase account"
        typed={account.name}
        change={erase}
        isRepeatable
        onConfirm={(onSuccess) => erase.mutate(idempotencyKey, { onSuccess })}
      >
        {people} can no longer sign in, its keys are refused at once, and its balance of{' '}
        <Balance of={balance.data?.available} /> is lost. Nothing brings it back.
      </DangerButton>
    </Stack>
  );
}

function Figures({ account }: { readonly account: Account }) {
  const { id } = account;
  const balance = useAccountBalance(id);
  const nowMs = useNow();
  const week = useUsage({ ...queryOf('7d', nowMs), account_id: id });
  const spent = useUsage({ start: startOfPace(nowMs), interval: 'day', account_id: id });
  return (
    <Stack gap="xs">
      <Stats>
        <Stat
          label={isKept(account) ? 'Available' : 'Lost with it'}
          value={<Balance of={balance.data?.available} />}
          isBad={isKept(account) && balance.data !== undefined && spendsNoMore(balance.data)}
          note={
            isKept(account) &&
            balance.data &&
            spent.data &&
            describeOutlook(
              balance.data,
              dailySpendOf(
                { sinceStart: spent.data.totals.spend, createdAt: account.created_at },
                nowMs,
              ),
            )
          }
        />
        <Stat
          label="Reserved"
          value={<Money amount={balance.data?.reserved} />}
          note={RESERVED_NOTE}
        />
        <Stat
          label={`Spent ${describeStart('7d', nowMs)}`}
          value={<Money amount={week.data?.totals.spend} />}
          note={
            <Anchor component={Link} href={`/operator/requests?account=${id}`} size="sm">
              {week.data === undefined
                ? 'Its requests'
                : formatNumberOf(week.data.totals.requests, 'request')}
            </Anchor>
          }
        />
      </Stats>
      {balance.data !== undefined && <BalanceSum balance={balance.data} />}
    </Stack>
  );
}

function Actions({ account }: { readonly account: Account }) {
  const update = useUpdateAccount(account.id);
  const [isCrediting, crediting] = useDisclosure(false);
  const [isAdjusting, adjusting] = useDisclosure(false);
  const [isSuspending, suspending] = useDisclosure(false);
  const isActive = account.status === 'active';
  const isOwn = useIsOwn(account);
  const day = useUsage({ ...queryOf('24h', Date.now()), account_id: account.id });
  return (
    <>
      <Group gap="xs">
        <Button onClick={crediting.open}>Grant credit</Button>
        <Button variant="default" onClick={adjusting.open}>
          Adjust balance
        </Button>
        {isActive && !isOwn && (
          <Button variant="default" onClick={suspending.open}>
            Suspend
          </Button>
        )}
        {!isActive && (
          <Button
            variant="default"
            loading={update.isPending}
            onClick={() => update.mutate({ status: 'active' })}
          >
            Reactivate
          </Button>
        )}
        <ExportAccount id={account.id} />
      </Group>
      {update.error !== null && !isSuspending && <Failure error={update.error} />}
      <MoneyForm kind="credit" account={account} isOpen={isCrediting} onClose={crediting.close} />
      <MoneyForm
        kind="adjustment"
        account={account}
        isOpen={isAdjusting}
        onClose={adjusting.close}
      />
      <Danger
        isOpen={isSuspending}
        title={`Suspend the account “${account.name}”`}
        verb="Suspend account"
        change={update}
        onClose={suspending.close}
        onConfirm={() => update.mutate({ status: 'suspended' }, { onSuccess: suspending.close })}
      >
        All its keys are refused until it is reactivated.
        {day.data !== undefined &&
          ` It made ${formatNumberOf(day.data.totals.requests, 'request')} in the last 24 hours.`}
      </Danger>
    </>
  );
}

/** Everything that is kept of an account, or its ledger alone, as a file. */
function ExportAccount({ id }: { readonly id: string }) {
  const file = useMutation({
    mutationFn: async (format: ExportFormat) =>
      saveText(`account-${id}`, format, await fetchAccountExport(id, format)),
  });
  return (
    <>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button variant="default" leftSection={<Download size={16} />} loading={file.isPending}>
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => file.mutate('jsonl')}>Everything, as JSON Lines</Menu.Item>
          <Menu.Item onClick={() => file.mutate('csv')}>The ledger, as CSV</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {file.error !== null && <Failure error={file.error} />}
    </>
  );
}

/** Terms of the account besides its plan, or in its place. */
function toTerms({ limits, groups, models, discount }: Account['overrides']): Fact[] {
  return [
    ['Own limits', describeLimits(limits) || 'As the plan'],
    ['Own models', models.join(', ') || 'As the plan'],
    ['Own groups', groups.join(', ') || 'As the plan'],
    ['Discount', Number(discount) === 0 ? 'None' : `${discount} %`],
  ];
}

function Lists({ id }: { readonly id: string }) {
  const ledger = useAccountLedger(id);
  const keys = useAccountKeys(id);
  const members = useAccountMembers(id);
  return (
    <>
      <DrawerSection title="Ledger">
        <ListView
          query={ledger}
          label="Ledger"
          columns={ledgerColumns.filter(({ isMinor }) => isMinor !== true)}
          keyOf={({ seq }) => String(seq)}
          fits={(entry) => !isFree(entry)}
          first={ENTRIES_FIRST}
          empty={{ title: 'Nothing moved yet', text: 'Grant credit to begin with.' }}
        />
      </DrawerSection>
      <DrawerSection title="API keys">
        <ListView
          query={keys}
          label="API keys"
          columns={keyColumns.filter(({ header }) => header !== 'Key' && header !== 'Created')}
          keyOf={(key) => key.id}
          empty={{ title: 'No API keys', text: 'The people of the account make them.' }}
        />
      </DrawerSection>
      <DrawerSection title="Members">
        <ListView
          query={members}
          label="Members"
          columns={memberColumns.filter(({ isMinor }) => isMinor !== true)}
          keyOf={(member) => member.id}
          empty={{ title: 'Nobody', text: 'Add a user on the page Users.' }}
        />
      </DrawerSection>
    </>
  );
}
