import { Alert, Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from 'wouter';
import { useKey, useRevokeKey, useRotateKey, useUpdateKey } from '../../api/keys';
import { useRefused } from '../../api/requests';
import type { ApiKey } from '../../api/schemas';
import { useUsage } from '../../api/stats';
import { useMembers } from '../../api/users';
import { describeStart, queryOf } from '../../charts/range';
import { isFuture } from '../../components/checks';
import { DangerButton, EnableOrDisable } from '../../components/danger';
import { EditForm, useEditForm } from '../../components/edit-form';
import { AsJson, Facts } from '../../components/facts';
import { Failure } from '../../components/failure';
import { More } from '../../components/form';
import { DrawerSection } from '../../components/overlay';
import { QueryState } from '../../components/query-state';
import { Stat, Stats } from '../../components/stat';
import { Count, Moment, Money } from '../../components/values';
import { shareUsed } from '../../format/quantity';
import { useIsManager, useUser } from '../../session/session';
import { nameReason } from '../requests/describe-request';
import { KeyPreview, KeyStatus } from './columns';
import { describeKeyUse, describeOutranked, describeSwitch } from './describe-key';
import { KEY_RULES, toKeyChanges, toKeyDraft } from './key-draft';
import { KeyFields } from './key-fields';
import { RotatedKey, RotateKey } from './rotate-key';

/** One key: how it is used, what it may do, and what can be done with it. */
export function KeyDetails(props: { readonly id: string; readonly onGone: () => void }) {
  const key = useKey(props.id);
  return (
    <QueryState query={key}>
      {(data) => <LoadedKey apiKey={data} onGone={props.onGone} />}
    </QueryState>
  );
}

function LoadedKey(props: { readonly apiKey: ApiKey; readonly onGone: () => void }) {
  const { apiKey, onGone } = props;
  const rotate = useRotateKey(apiKey.id);
  const secret = rotate.data?.key;
  if (secret !== undefined) return <RotatedKey secret={secret} onDone={() => rotate.reset()} />;
  return (
    <Stack gap="lg">
      <Actions apiKey={apiKey} rotate={rotate} onGone={onGone} />
      <KeyUsage apiKey={apiKey} />
      <LastRefused keyId={apiKey.id} />
      <Summary apiKey={apiKey} />
      <DrawerSection title="Settings">
        <More label="Change settings">
          <EditKey apiKey={apiKey} />
        </More>
      </DrawerSection>
      <AsJson value={apiKey} />
    </Stack>
  );
}

function Actions(props: {
  readonly apiKey: ApiKey;
  readonly rotate: ReturnType<typeof useRotateKey>;
  readonly onGone: () => void;
}) {
  const { apiKey, rotate } = props;
  const update = useUpdateKey(apiKey.id);
  const revoke = useRevokeKey(apiKey.id);
  const [isRotating, rotating] = useDisclosure(false);
  const switching = describeSwitch(apiKey);
  const outranked = useOutranked(apiKey.created_by);
  const note = switching.note ?? outranked;
  return (
    <>
      <Group gap="xs">
        <Button variant="default" disabled={outranked !== undefined} onClick={rotating.open}>
          Rotate
        </Button>
        {switching.verb !== undefined && (
          <EnableOrDisable
            isEnabled={switching.verb === 'Disable'}
            on="active"
            kind="key"
            title={`Disable the API key “${apiKey.name}”`}
            update={update}
            isOneWay={outranked !== undefined}
          >
            It is refused until it is enabled again. <KeyUse apiKey={apiKey} />
          </EnableOrDisable>
        )}
        <DangerButton
          label="Revoke"
          isFinal
          title={`Revoke the API key “${apiKey.name}”`}
          verb="Revoke key"
          typed={apiKey.name}
          change={revoke}
          onConfirm={() => revoke.mutate(undefined, { onSuccess: props.onGone })}
        >
          It stops working at once and cannot be brought back. <KeyUse apiKey={apiKey} />
        </DangerButton>
      </Group>
      {note !== undefined && (
        <Alert variant="outline" color="gray" role="status">
          <Text>{note}</Text>
        </Alert>
      )}
      {switching.verb !== 'Disable' && update.error !== null && <Failure error={update.error} />}
      <RotateKey name={apiKey.name} isOpen={isRotating} rotate={rotate} onClose={rotating.close} />
    </>
  );
}

/** Why the viewer may give the key nothing, as far as the people of the account are known. */
function useOutranked(maker: string | null): string | undefined {
  const { role } = useUser();
  const isManager = useIsManager();
  const members = useMembers(isManager);
  return describeOutranked(members.data?.find(({ id }) => id === maker)?.role, role);
}

/** Says what would fail without the key. */
function KeyUse({ apiKey }: { readonly apiKey: ApiKey }) {
  const day = useUsage({ ...queryOf('24h', Date.now()), key_id: apiKey.id });
  // Figures that stand in for those to come may be of another key.
  const requests = day.isPlaceholderData ? undefined : day.data?.totals.requests;
  return <>{describeKeyUse(apiKey.last_used_at, requests, Date.now())}</>;
}

function KeyUsage({ apiKey }: { readonly apiKey: ApiKey }) {
  const week = useUsage({ ...queryOf('7d', Date.now()), key_id: apiKey.id });
  const share = shareUsed(
    Number(apiKey.spend ?? 0),
    apiKey.max_budget === null ? null : Number(apiKey.max_budget),
  );
  return (
    <Stats>
      <Stat
        label={apiKey.budget_period === null ? 'Spend' : `Spend this ${apiKey.budget_period}`}
        value={<Money amount={apiKey.spend} />}
        share={share}
        note={
          apiKey.max_budget === null ? (
            'No budget'
          ) : (
            <>
              of <Money amount={apiKey.max_budget} />
              {apiKey.budget_resets_at !== null && (
                <>
                  , begins anew <Moment at={apiKey.budget_resets_at} />
                </>
              )}
            </>
          )
        }
      />
      <Stat
        label={`Requests ${describeStart('7d', Date.now())}`}
        value={<Count of={week.data?.totals.requests} />}
        note={
          <Group gap="sm">
            <Anchor component={Link} href={`/requests?key=${apiKey.id}`} size="sm">
              See them
            </Anchor>
            <Anchor component={Link} href={`/requests?status=refused&key=${apiKey.id}`} size="sm">
              Refused
            </Anchor>
          </Group>
        }
      />
    </Stats>
  );
}

/** An active key of which every request is refused looks well otherwise. */
function LastRefused({ keyId }: { readonly keyId: string }) {
  const refused = useRefused('own', undefined);
  const newest = refused.data?.find(({ key_id }) => key_id === keyId);
  if (newest === undefined) return null;
  return (
    <Text c="dimmed" size="sm">
      Last refused <Moment at={newest.at} />: {nameReason(newest.error_code)}.
    </Text>
  );
}

function Summary({ apiKey }: { readonly apiKey: ApiKey }) {
  const list = (items: readonly string[], otherwise: string) =>
    items.length === 0 ? otherwise : items.join(', ');
  return (
    <Facts
      facts={[
        ['Status', <KeyStatus key="status" apiKey={apiKey} />],
        ['Key', <KeyPreview key="preview" of={apiKey.preview} />],
        ['May', apiKey.scopes.join(', ')],
        ['Models', list(apiKey.models, 'All')],
        ['Addresses', list(apiKey.allowed_ips, 'Any')],
        ['Ends', <Moment key="ends" at={apiKey.expires_at} never="Never" />],
        ['Last used', <Moment key="used" at={apiKey.last_used_at} never="Never" />],
        ['Created', <Moment key="created" at={apiKey.created_at} full />],
        ['Last rotated', <Moment key="rotated" at={apiKey.last_rotated_at} never="Never" />],
        ...(apiKey.previous_expires_at === null
          ? []
          : ([
              ['Old secret ends', <Moment key="previous" at={apiKey.previous_expires_at} />],
            ] as const)),
      ]}
    />
  );
}

function EditKey({ apiKey }: { readonly apiKey: ApiKey }) {
  const update = useUpdateKey(apiKey.id);
  const stored = toKeyDraft(apiKey);
  const form = useEditForm(stored, {
    ...KEY_RULES,
    // An end that has come does not keep the rest from being changed.
    expires_at: (value) => (value === stored.expires_at ? null : isFuture(value)),
  });
  const changes = toKeyChanges(form.values, apiKey);
  return (
    <EditForm form={form} changes={changes} update={update}>
      <TextInput label="Name" {...form.getInputProps('name')} />
      <KeyFields form={form} />
    </EditForm>
  );
}
