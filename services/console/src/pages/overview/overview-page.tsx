import { Alert, Anchor, Group, SimpleGrid, Text, Title } from '@mantine/core';
import { Fragment } from 'react';
import { Link } from 'wouter';
import { useBalance, useCurrency, usePlans, useThresholds } from '../../api/billing';
import { useRefused, useRequests } from '../../api/requests';
import type { OfferedPlans, Usage } from '../../api/schemas';
import { useUsage } from '../../api/stats';
import { describeStart, labelOfRange, queryOf, RANGE_CHOICE } from '../../charts/range';
import { toSeries } from '../../charts/series';
import { TimeChart } from '../../charts/time-chart';
import { COUNTS, moneyUnit } from '../../charts/units';
import { Choice, useChoice } from '../../components/choice';
import { Identifier } from '../../components/copy';
import { DataTable } from '../../components/data-table';
import { byLimit, describeLimits } from '../../components/drafts';
import { Page, Panel, Section } from '../../components/page';
import { QueryState } from '../../components/query-state';
import { firstCall } from '../../components/snippet-texts';
import { Snippets } from '../../components/snippets';
import { Stat, Stats } from '../../components/stat';
import { Balance, Count, Duration, Money } from '../../components/values';
import { toNano } from '../../format/money';
import { nameById } from '../../format/names';
import { formatCount, shareUsed } from '../../format/quantity';
import { useIsManager } from '../../session/session';
import { hrefOfNew } from '../../url/url-state';
import {
  type BlockedState,
  describeHelp,
  describeOutlook,
  spendsNoMore,
  stateOfBalance,
} from '../billing/describe-balance';
import { recentColumns } from '../requests/columns';
import { RefusedNotice } from '../requests/refused-list';
import { describeUnserved, splitFailed, UNNAMED } from '../usage/sum-usage';

/** Says whether it works, what it cost, how long the money lasts, and how it is called. */
export function OverviewPage() {
  return (
    <Page title="Overview" sentence="What your account has, what it used, and how to use it.">
      <BalanceNotice />
      <Figures />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" verticalSpacing="xl">
        <Section
          title="Last requests"
          aside={
            <Anchor component={Link} href="/requests" size="sm">
              All requests
            </Anchor>
          }
        >
          <LastRequests />
        </Section>
        <Section
          title="Call it"
          aside={
            <Anchor component={Link} href={hrefOfNew('/keys')} size="sm">
              Create an API key
            </Anchor>
          }
        >
          <Panel>
            <BaseAddress />
            <Snippets call={firstCall()} />
          </Panel>
        </Section>
      </SimpleGrid>
      <Charts />
    </Page>
  );
}

const TITLES: Readonly<Record<BlockedState, string>> = {
  'never credited': 'First credit, then a key, then a call',
  stopped: 'The balance is below what the account lets itself spend',
  'used up': 'The balance is used up',
};

/** Says above the figures that the balance lets nothing be asked for, and what helps. */
function BalanceNotice() {
  const { data } = useBalance();
  const isManager = useIsManager();
  const state = data === undefined ? 'there' : stateOfBalance(data);
  if (data === undefined || state === 'there' || state === 'held') return null;
  const isNew = state === 'never credited';
  const help = describeHelp(state, isManager);
  return (
    <Alert
      variant="outline"
      color={isNew ? 'gray' : 'var(--toll-bad)'}
      role="status"
      title={TITLES[state]}
    >
      <Text>
        {isNew
          ? `The account has no credit yet. ${help} Then create an API key and make the call below.`
          : state === 'stopped'
            ? `${describeOutlook(data, '0')}. ${help}`
            : `Every request that costs is refused until there is credit. ${help}`}
      </Text>
      <Group gap="md" mt={8}>
        {isManager && (
          <Anchor component={Link} href="/billing" underline="always">
            Redeem a code
          </Anchor>
        )}
        <Anchor
          component={Link}
          href={isNew ? hrefOfNew('/keys') : '/requests?status=refused'}
          underline="always"
        >
          {isNew ? 'Create an API key' : 'What was refused'}
        </Anchor>
      </Group>
    </Alert>
  );
}

const SHOWN = 5;

/** The newest requests; each leads to its story. */
function LastRequests() {
  const requests = useRequests('own');
  const refused = useRefused('own', undefined);
  return (
    <>
      <QueryState
        query={{ ...requests, data: requests.data?.slice(0, SHOWN) }}
        lines={4}
        empty={{
          title: 'No requests yet',
          text: 'As soon as a key is used, its requests are here with what they cost.',
        }}
      >
        {(rows) => (
          <DataTable
            label="Last requests"
            rows={rows}
            columns={recentColumns}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => `/requests?open=${id}`}
          />
        )}
      </QueryState>
      <RefusedNotice refused={refused} href="/requests?status=refused" />
    </>
  );
}

/** The address that a client library is given instead of its vendor's. */
function BaseAddress() {
  return (
    <Group gap="xs" mb="xs">
      <Text size="sm" c="dimmed">
        Base address
      </Text>
      <Identifier id={firstCall().baseUrl} what="base address" />
    </Group>
  );
}

function Figures() {
  const balance = useBalance();
  const plans = usePlans();
  const thresholds = useThresholds();
  const since = describeStart('7d', Date.now());
  const week = useUsage({ ...queryOf('7d', Date.now()), group_by: 'model' });
  const today = useUsage({ start: startOfToday(), interval: 'day' });
  const requestsToday = today.data?.totals.requests;
  return (
    <QueryState query={balance} lines={2}>
      {(data) => (
        <Stats>
          <Stat
            label="Available"
            value={<Balance of={data.available} />}
            isBad={spendsNoMore(data)}
            note={
              <>
                {thresholds.data && describeOutlook(data, thresholds.data.daily_spend)}
                <Held reserved={data.reserved} />
              </>
            }
          />
          <Stat
            label={`Spent ${since}`}
            value={<Money amount={week.data?.totals.spend} />}
            note={
              <>
                <Count of={week.data?.totals.total_tokens} /> tokens
              </>
            }
          />
          <Stat
            label={`Requests ${since}`}
            value={<Count of={week.data?.totals.requests} />}
            note={
              <>
                {week.data && <Failed usage={week.data} />}
                {week.data?.totals.latency_ms && (
                  <>
                    , half answered within <Duration ms={week.data.totals.latency_ms.p50} />
                  </>
                )}
              </>
            }
          />
          <Stat
            label="Requests today"
            value={<Count of={requestsToday} />}
            share={shareUsed(requestsToday ?? 0, plans.data?.limits.requests_per_day ?? null)}
            note={plans.data && describePlan(plans.data)}
          />
        </Stats>
      )}
    </QueryState>
  );
}

/** Where the requests are that were answered with 503 and never begun: the others have a story. */
const UNSERVED_HREF = '/requests?status=refused&reason=SERVICE_UNAVAILABLE';

/** Refusals that are the doing of the client are not among these. */
function Failed({ usage }: { readonly usage: Usage }) {
  const { failed, unserved } = splitFailed(usage);
  const parts = [
    { count: failed, word: 'failed', href: '/requests?status=failed' },
    { count: unserved, word: 'not served', href: UNSERVED_HREF },
  ].filter(({ count }) => count > 0);
  if (parts.length === 0) return <>None failed</>;
  return parts.map(({ count, word, href }, index) => (
    <Fragment key={word}>
      {index > 0 && ', '}
      <Anchor component={Link} href={href} inherit underline="always">
        {formatCount(count)} {word}
      </Anchor>
    </Fragment>
  ));
}

/** What is reserved: it is not available, and comes back in part. */
function Held({ reserved }: { readonly reserved: string }) {
  if (toNano(reserved) === 0n) return null;
  return (
    <div>
      <Money amount={reserved} /> held for what runs or may come next
    </div>
  );
}

/** Days of limits are days in UTC. */
function startOfToday(): string {
  return `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`;
}

function describePlan({ items, current, limits }: OfferedPlans): string {
  const { requests_per_day: day } = limits;
  // Stands beside the requests of the day.
  const own = day === null ? `${nameById(items, current)} plan` : `of ${formatCount(day)} a day`;
  const others = describeLimits({
    ...byLimit((name) => limits[name] ?? undefined),
    requests_per_day: undefined,
  });
  if (others !== '') return `${own}, ${others}`;
  return day === null ? `${own}, no limit` : own;
}

function Charts() {
  const range = useChoice(RANGE_CHOICE);
  const currency = useCurrency();
  const usage = useUsage({ ...queryOf(range, Date.now()), group_by: 'model' });
  const byModel = ({ model = '' }: Readonly<Record<string, string>>) =>
    model === '' ? UNNAMED.model : model;
  const charts = [
    { title: 'Spend by model', metric: 'spend', unit: moneyUnit(currency) },
    { title: 'Requests by model', metric: 'requests', unit: COUNTS },
  ] as const;
  // Two drawings of nothing say no more than a sentence.
  if (usage.data?.totals.requests === 0) {
    return (
      <Section title="Over time" aside={<Choice of={RANGE_CHOICE} />}>
        <Text c="dimmed">{describeUnserved(usage.data.totals, labelOfRange(range))}</Text>
      </Section>
    );
  }
  return (
    <Section title="Over time" aside={<Choice of={RANGE_CHOICE} />}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        {charts.map(({ title, metric, unit }) => (
          <Panel key={title}>
            <Title order={3} mb="md">
              {title}
            </Title>
            <QueryState query={usage} lines={6}>
              {(data) => (
                <TimeChart
                  label={`${title}, ${labelOfRange(range)}`}
                  kind="bars"
                  series={toSeries(data, metric, byModel)}
                  isSplit
                  unit={unit}
                />
              )}
            </QueryState>
          </Panel>
        ))}
      </SimpleGrid>
    </Section>
  );
}
