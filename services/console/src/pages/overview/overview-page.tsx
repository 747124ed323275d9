import { Anchor, Group, SimpleGrid, Text, Title } from '@mantine/core';
import { Fragment } from 'react';
import { Link } from 'wouter';
import { useBalance, useCurrency, usePlans, useThresholds } from '../../api/billing';
import type { OfferedPlans, Usage } from '../../api/schemas';
import { useUsage } from '../../api/stats';
import { describeStart, labelOfRange, questionOf, RANGE_CHOICE } from '../../charts/range';
import { toSeries } from '../../charts/series';
import { TimeChart } from '../../charts/time-chart';
import { COUNTS, moneyUnit } from '../../charts/units';
import { Choice, useChoice } from '../../components/choice';
import { Identifier } from '../../components/copy';
import { Page, Panel, Section } from '../../components/page';
import { QueryState } from '../../components/query-state';
import { firstCall } from '../../components/snippet-texts';
import { Snippets } from '../../components/snippets';
import { Stat, Stats } from '../../components/stat';
import { Balance, Count, Duration, Money } from '../../components/values';
import { toNano } from '../../format/money';
import { nameById } from '../../format/names';
import { formatCount, shareUsed } from '../../format/quantity';
import { describeOutlook, isRefused } from '../billing/describe-balance';
import { splitFailed, UNNAMED } from '../usage/sum-usage';
import { BalanceNotice } from './balance-notice';
import { LastRequests } from './last-requests';

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
            <Anchor component={Link} href="/keys?open=new" size="sm">
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
  const week = useUsage({ ...questionOf('7d', Date.now()), group_by: 'model' });
  const today = useUsage({ start: startOfToday(), interval: 'day' });
  const requestsToday = today.data?.totals.requests;
  return (
    <QueryState query={balance} lines={2}>
      {(data) => (
        <Stats>
          <Stat
            label="Available"
            value={<Balance of={data.available} />}
            isBad={isRefused(data)}
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
            note={plans.data && describeLimits(plans.data)}
          />
        </Stats>
      )}
    </QueryState>
  );
}

/** Requests that a vendor failed have a story; those that no channel took have a list of their own. */
function Failed({ usage }: { readonly usage: Usage }) {
  const { failed, refused } = splitFailed(usage);
  const parts = [
    { count: failed, word: 'failed' },
    { count: refused, word: 'refused' },
  ].filter(({ count }) => count > 0);
  if (parts.length === 0) return <>None failed</>;
  return parts.map(({ count, word }, index) => (
    <Fragment key={word}>
      {index > 0 && ', '}
      <Anchor component={Link} href={`/requests?status=${word}`} inherit underline="always">
        {formatCount(count)} {word}
      </Anchor>
    </Fragment>
  ));
}

/** The amount that running requests hold: it is not available, and comes back in part. */
function Held({ reserved }: { readonly reserved: string }) {
  if (toNano(reserved) === 0n) return null;
  return (
    <div>
      <Money amount={reserved} /> held for running requests
    </div>
  );
}

/** Days of limits are days in UTC. */
function startOfToday(): string {
  return `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`;
}

function describeLimits({ items, current, limits }: OfferedPlans): string {
  const plan = nameById(items, current);
  const { requests_per_day: day, requests_per_minute: minute } = limits;
  if (day === null && minute === null) return `${plan} plan, no limit`;
  const perMinute = minute === null ? '' : `, ${formatCount(minute)} a minute`;
  return day === null ? `${plan}${perMinute}` : `of ${formatCount(day)} a day${perMinute}`;
}

function Charts() {
  const range = useChoice(RANGE_CHOICE);
  const currency = useCurrency();
  const usage = useUsage({ ...questionOf(range, Date.now()), group_by: 'model' });
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
        <Text c="dimmed">Nothing was asked in {labelOfRange(range)}.</Text>
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
