import { Button, Text } from '@mantine/core';
import { Fragment } from 'react';
import { useAccounts } from '../../api/accounts';
import { useChannels } from '../../api/channels';
import { useAlerts, useAudit, useFreshAudit } from '../../api/health';
import { useCatalogue } from '../../api/models';
import { useAway, useReadiness } from '../../api/reach';
import { useRefusedSample } from '../../api/requests';
import type { Audit } from '../../api/schemas';
import { countServerFailures, useUsage } from '../../api/stats';
import { labelOfRange, queryOf, RANGE_CHOICE } from '../../charts/range';
import { Choice, useChoice } from '../../components/choice';
import { DataTable } from '../../components/data-table';
import { Failure, LoadFailure } from '../../components/failure';
import { Page, Section } from '../../components/page';
import { QueryState } from '../../components/query-state';
import { Stat, Stats } from '../../components/stat';
import { Status } from '../../components/status';
import { Count, Duration, ModelName, Moment, Money, useNow } from '../../components/values';
import { toNano } from '../../format/money';
import { formatCount, formatFailedShare, NOTHING } from '../../format/quantity';
import { formatShortTime } from '../../format/time';
import { AlertNotice } from '../alerts/alert-notice';
import { BAD_SHARE, channelHealthColumns, findingColumns, hurtColumns } from './columns';
import { describeModels, describeServing } from './describe-models';
import { describeServices, staleSince } from './describe-services';
import { findLeftOut, gatherChannels, gatherHurt, type HurtAccount } from './gather';

/** Says whether all is up, which vendor hurts, whether the money is right, and who is refused. */
export function HealthPage() {
  return (
    <Page
      title="Health"
      sentence="Is it up, which vendor hurts, is the money right, who is refused."
      action={<Choice of={RANGE_CHOICE} />}
    >
      <AlertNotice />
      <Figures />
      <AsOfLast />
      <ChannelHealth />
      <Refusals />
      <MoneyAudit />
    </Page>
  );
}

/** While nothing answers, says of when the figures are. */
function AsOfLast() {
  const isAway = useAway();
  const { dataUpdatedAt } = useChannels();
  if (!isAway || dataUpdatedAt === 0) return null;
  const at = new Date(dataUpdatedAt).toISOString();
  return (
    <Text c="dimmed" size="sm" role="status">
      Nothing answers now: the figures on this page are of <Moment at={at} full /> or before.
    </Text>
  );
}

function Figures() {
  const range = useChoice(RANGE_CHOICE);
  const audit = useAudit();
  const usage = useUsage({ ...queryOf(range, Date.now()), account_id: 'all' });
  const totals = usage.data?.totals;
  const share = totals && totals.requests > 0 ? countServerFailures(totals) / totals.requests : 0;
  const left = totals?.client_gone_requests ?? 0;
  const invalid = totals?.invalid_requests ?? 0;
  return (
    <Stats>
      <Services />
      <ServedModels />
      <Stat
        label="Failed, all accounts"
        value={totals ? describeFailed(totals, share) : usage.error && NOTHING}
        isBad={share > BAD_SHARE}
        note={
          totals && (
            <>
              of <Count of={totals.requests} /> requests;{' '}
              <Count of={totals.rate_limited_requests} /> refused by a limit
              {left > 0 && `, ${formatCount(left)} left by their client`}
              {invalid > 0 && `, ${formatCount(invalid)} not valid for a vendor`}
            </>
          )
        }
      />
      <Stat
        label="First token"
        value={<Duration ms={totals?.first_token_ms?.p50} />}
        note={
          totals && (
            <>
              p95 <Duration ms={totals.first_token_ms?.p95} />
            </>
          )
        }
      />
      <Stat
        label="Money"
        value={<AuditVerdict audit={audit.data} />}
        note={
          audit.data && (
            <>
              Audited <Moment at={audit.data.checked_at} never="never" />
            </>
          )
        }
      />
    </Stats>
  );
}

function describeFailed({ requests }: { readonly requests: number }, share: number): string {
  return requests === 0 ? NOTHING : formatFailedShare(share);
}

/** Whether this gateway takes requests, and every service behind it answered a moment ago. */
function Services() {
  const ready = useReadiness();
  const alerts = useAlerts();
  const nowMs = useNow();
  const status = describeServices(
    {
      isReady: ready.data,
      alerts: alerts.data?.items,
      staleSinceMs: staleSince([ready, alerts], nowMs),
      isAway: useAway(),
    },
    nowMs,
  );
  return (
    <Stat
      label="Services"
      value={<Status tone={status.tone} label={status.label} />}
      note={status.note}
    />
  );
}

/** A model that nothing can answer for is refused with 503: nobody else says so. */
function ServedModels() {
  const channels = useChannels();
  const catalogue = useCatalogue();
  const nowMs = useNow();
  const staleMs = staleSince([channels], nowMs);
  const oldSince = staleMs === undefined ? undefined : new Date(staleMs).toISOString();
  const { down, ...status } = describeModels({
    models: catalogue.data?.map(({ id }) => id),
    channels: channels.data,
    hasMore: channels.hasNextPage,
    isOld: oldSince !== undefined,
  });
  if (channels.data === undefined || catalogue.data === undefined) {
    return <Stat label="Models" value={<Status {...status} />} />;
  }
  return (
    <Stat
      label="Models"
      value={<Status {...status} />}
      note={
        <>
          {oldSince !== undefined && `At ${formatShortTime(oldSince, nowMs)}. `}
          {down.length === 0 ? (
            describeServing(catalogue.data, channels.hasNextPage)
          ) : (
            <>No channel can serve {listSome(down)}</>
          )}
        </>
      }
    />
  );
}

const NAMED_MAX = 3;

function listSome(names: readonly string[]) {
  const more = names.length - NAMED_MAX;
  return (
    <>
      {names.slice(0, NAMED_MAX).map((name, index) => (
        <Fragment key={name}>
          {index > 0 && ', '}
          <ModelName of={name} />
        </Fragment>
      ))}
      {more > 0 && ` and ${formatCount(more)} more`}
    </>
  );
}

function AuditVerdict({ audit }: { readonly audit: Audit | undefined }) {
  if (audit === undefined) return <Status tone="idle" label="Unknown" />;
  return audit.ok ? <Status tone="good" label="Adds up" /> : <Status tone="bad" label="Differs" />;
}

/** Channels that are listed of an installation with more of them than one page of the list holds. */
const WORST_CHANNELS = 100;

function ChannelHealth() {
  const range = useChoice(RANGE_CHOICE);
  const channels = useChannels();
  const isWorst = channels.hasNextPage;
  const isAway = useAway();
  const { start, interval } = queryOf(range, Date.now());
  const usage = useUsage({
    start,
    // Only sums are shown: the longer the buckets, the fewer rows.
    interval: interval === 'day' ? 'month' : interval,
    account_id: 'all',
    group_by: 'channel',
    ...(isWorst && { worst: WORST_CHANNELS }),
  });
  return (
    <Section title={isWorst ? 'Channels that fail most' : 'Channels'}>
      {usage.error !== null && usage.data === undefined && !isAway && (
        <LoadFailure
          title={`The figures of ${labelOfRange(range)} could not be loaded`}
          error={usage.error}
          isRetrying={usage.isFetching}
          onRetry={() => usage.refetch()}
        />
      )}
      <QueryState
        query={channels}
        empty={{ title: 'No channels yet', text: 'Without a channel no model can be asked.' }}
      >
        {(all) => (
          <DataTable
            label="Health of channels"
            rows={gatherChannels(all, usage.data, isWorst)}
            columns={channelHealthColumns(labelOfRange(range))}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => `/operator/channels?open=${id}`}
          />
        )}
      </QueryState>
    </Section>
  );
}

function MoneyAudit() {
  const audit = useAudit();
  const fresh = useFreshAudit();
  return (
    <Section
      title="Last audit of all money"
      aside={
        <Button
          variant="default"
          size="xs"
          loading={fresh.isPending}
          onClick={() => fresh.mutate(undefined)}
        >
          Audit now
        </Button>
      }
    >
      {fresh.error !== null && <Failure error={fresh.error} />}
      <QueryState query={audit} lines={4}>
        {(data) => (
          <>
            <Stats>
              <Stat
                label="Accounts then"
                value={<Count of={data.accounts_checked} />}
                note={
                  <>
                    Audited in <Duration ms={data.duration_ms} />
                  </>
                }
              />
              <Stat
                label="Drift"
                value={<Money amount={data.drift} />}
                isBad={toNano(data.drift) !== 0n}
                note="Between balances and ledger"
              />
              <Stat
                label="Reserved then"
                value={<Money amount={data.reserved} />}
                note="Held for requests that ran or might have come"
              />
              <Stat
                label="Absorbed"
                value={<Money amount={data.absorbed} />}
                note="Charged to nobody"
              />
              <Stat
                label="Overrun"
                value={<Money amount={data.overrun} />}
                note="Above what was reserved"
              />
            </Stats>
            {data.findings.length > 0 && (
              <DataTable
                label="Findings"
                rows={data.findings}
                columns={findingColumns}
                keyOf={({ account_id, rule, detail }) => `${account_id} ${rule} ${detail}`}
                hrefOf={({ account_id }) => `/operator/accounts?open=${account_id}`}
              />
            )}
          </>
        )}
      </QueryState>
    </Section>
  );
}

/** Accounts that are listed: all of a large installation would be more than an answer may hold. */
const REFUSALS_MAX = 100;

function Refusals() {
  const range = useChoice(RANGE_CHOICE);
  const accounts = useAccounts();
  const kept = useRefusedSample();
  const isAway = useAway();
  const query = { ...queryOf(range, Date.now()), group_by: 'account' };
  const usage = useUsage({ ...query, account_id: 'all', worst: REFUSALS_MAX });
  const leftOut = usage.data === undefined ? [] : findLeftOut(usage.data, kept.data ?? []);
  const others = useUsage(
    { ...query, account_id: leftOut.join(',') },
    { enabled: leftOut.length > 0 },
  );
  // What was answered of other accounts, or of another range, is nothing to add to these.
  const named = others.isPlaceholderData ? undefined : others.data;
  const rows =
    usage.data &&
    gatherHurt(
      { results: [...usage.data.results, ...(named?.results ?? [])] },
      kept.data ?? [],
      accounts.data ?? [],
      named === undefined ? [] : leftOut,
    );
  return (
    <Section title="Who is refused or fails">
      {kept.error !== null && kept.data === undefined && !isAway && (
        <LoadFailure
          title="What was refused could not be loaded"
          error={kept.error}
          isRetrying={kept.isFetching}
          onRetry={() => kept.refetch()}
        />
      )}
      <QueryState
        query={{ ...usage, data: rows }}
        lines={3}
        empty={{
          title: 'Nobody',
          text: 'Accounts whose requests failed, or were refused by a limit, the balance or a right.',
        }}
      >
        {(hurt) => (
          <>
            <DataTable
              label="Refusals by account"
              rows={hurt}
              columns={hurtColumns}
              keyOf={({ accountId, name }) => accountId ?? name}
              hrefOf={hrefOfHurt}
            />
            <Text c="dimmed" size="sm">
              Counted over {labelOfRange(range)}: what a limit refused, what failed, and all
              requests. Other refusals are of the last 24 hours, and there were at least so many.
            </Text>
          </>
        )}
      </QueryState>
    </Section>
  );
}

/** Leads to the refused requests of the account, or to its failed ones where none was refused. */
function hrefOfHurt({ accountId, counted, refused }: HurtAccount): string {
  const status = (counted?.limited ?? 0) > 0 || refused.size > 0 ? 'refused' : 'failed';
  const account = accountId === undefined ? '' : `account=${accountId}&`;
  return `/operator/requests?${account}status=${status}`;
}
