import { Anchor, SimpleGrid } from '@mantine/core';
import { Link } from 'wouter';
import { useBalance, useCurrency, usePlans } from '../../api/billing';
import { useUsage } from '../../api/stats';
import { labelOfRange, questionOf, RANGE_CHOICE } from '../../charts/range';
import { toSeries } from '../../charts/series';
import { TimeChart } from '../../charts/time-chart';
import { COUNTS, moneyUnit } from '../../charts/units';
import { countFailed } from '../../charts/usage-table';
import { Choice, useChoice } from '../../components/choice';
import { Page, Panel, Section } from '../../components/page';
import { QueryState } from '../../components/query-state';
import { firstCall } from '../../components/snippet-texts';
import { Snippets } from '../../components/snippets';
import { Stat, Stats } from '../../components/stat';
import { Balance, Count, Money } from '../../components/values';
import { formatCount } from '../../format/quantity';
import { LastRequests } from './last-requests';
import { sayOutlook, shareUsed } from './outlook';

/** Does it work, what did it cost, how long does the money last. */
export function OverviewPage() {
  return (
    <Page
      title="Overview"
      sentence="What your account has, what it used, and how to use it."
      action={<Choice of={RANGE_CHOICE} />}
    >
      <Figures />
      <Charts />
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
          <Snippets call={firstCall()} />
        </Panel>
      </Section>
    </Page>
  );
}

function Figures() {
  const balance = useBalance();
  const plans = usePlans();
  const week = useUsage(questionOf('7d', Date.now()));
  const today = useUsage({ start: startOfToday(), interval: 'day' });
  const plan = plans.data?.items.find(({ id }) => id === plans.data.current);
  const requestsToday = today.data?.totals.requests;
  const failed = week.data === undefined ? 0 : countFailed(week.data.totals);
  return (
    <QueryState query={balance} lines={2}>
      {({ available }) => (
        <Stats>
          <Stat
            label="Available"
            value={<Balance of={available} />}
            isBad={available === '0.00' || available.startsWith('-')}
            note={week.data && sayOutlook(available, week.data.totals.spend)}
          />
          <Stat
            label="Spent in 7 days"
            value={<Money amount={week.data?.totals.spend} />}
            note={
              <>
                <Count of={week.data?.totals.total_tokens} /> tokens
              </>
            }
          />
          <Stat
            label="Requests in 7 days"
            value={<Count of={week.data?.totals.requests} />}
            note={failed === 0 ? 'None failed' : `${formatCount(failed)} failed`}
          />
          <Stat
            label="Requests today"
            value={<Count of={requestsToday} />}
            share={shareUsed(requestsToday ?? 0, plan?.requests_per_day ?? null)}
            note={plan === undefined ? undefined : sayLimits(plan)}
          />
        </Stats>
      )}
    </QueryState>
  );
}

/** Days of limits are days in UTC. */
function startOfToday(): string {
  return `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`;
}

function sayLimits(plan: {
  readonly name: string;
  readonly requests_per_day: number | null;
  readonly requests_per_minute: number | null;
}): string {
  const day = plan.requests_per_day;
  const minute = plan.requests_per_minute;
  if (day === null && minute === null) return `${plan.name} plan, no limit`;
  const perMinute = minute === null ? '' : `, ${formatCount(minute)} a minute`;
  return day === null ? `${plan.name}${perMinute}` : `of ${formatCount(day)} a day${perMinute}`;
}

function Charts() {
  const range = useChoice(RANGE_CHOICE);
  const currency = useCurrency();
  const usage = useUsage({ ...questionOf(range, Date.now()), group_by: 'model' });
  const byModel = (group: Readonly<Record<string, string>>) => group.model ?? 'no model';
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      <Section title="Spend by model">
        <Panel>
          <QueryState query={usage} lines={6}>
            {(data) => (
              <TimeChart
                label={`Spend by model, ${labelOfRange(range)}`}
                kind="bars"
                series={toSeries(data, 'spend', byModel)}
                isSplit
                unit={moneyUnit(currency)}
              />
            )}
          </QueryState>
        </Panel>
      </Section>
      <Section title="Requests by model">
        <Panel>
          <QueryState query={usage} lines={6}>
            {(data) => (
              <TimeChart
                label={`Requests by model, ${labelOfRange(range)}`}
                kind="bars"
                series={toSeries(data, 'requests', byModel)}
                isSplit
                unit={COUNTS}
              />
            )}
          </QueryState>
        </Panel>
      </Section>
    </SimpleGrid>
  );
}
