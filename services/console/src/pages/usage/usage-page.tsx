import { Stack, Text } from '@mantine/core';
import { useCurrency } from '../../api/billing';
import { useKeys } from '../../api/keys';
import type { Usage } from '../../api/schemas';
import { fetchUsageCsv, useUsage } from '../../api/stats';
import { useMembers } from '../../api/users';
import { labelOfRange, queryOf, RANGE_CHOICE } from '../../charts/range';
import { type Metric, toLatency, toSeries } from '../../charts/series';
import { TimeChart } from '../../charts/time-chart';
import { COUNTS, DURATIONS, moneyUnit } from '../../charts/units';
import { Choice, type ChoiceOf, useChoice } from '../../components/choice';
import { DataTable } from '../../components/data-table';
import { Page, Panel, Section } from '../../components/page';
import { QueryState } from '../../components/query-state';
import { CsvButton } from '../../components/save-text';
import { firstCall } from '../../components/snippet-texts';
import { Snippets } from '../../components/snippets';
import { Moment } from '../../components/values';
import { formatName, nameById, withOwnNames } from '../../format/names';
import { useIsManager, useUser } from '../../session/session';
import { sumColumns } from './columns';
import {
  DIMENSIONS,
  type Dimension,
  dimensionOf,
  hrefOfPart,
  isUnused,
  sumOverTime,
  sumUsage,
  UNNAMED,
} from './sum-usage';
import classes from './usage.module.css';

const BY: ChoiceOf<Dimension> = {
  name: 'by',
  label: 'Split by',
  values: DIMENSIONS,
  initial: 'model',
  labelOf: (value) => (value === 'key' ? 'API key' : formatName(value)),
};

const METRICS = ['spend', 'requests', 'total_tokens', 'failed_requests'] as const;
const METRIC: ChoiceOf<Metric> = {
  name: 'show',
  label: 'Show',
  values: METRICS,
  initial: 'spend',
  labelOf: (value) => METRIC_NAMES[value],
};
const METRIC_NAMES: Readonly<Record<Metric, string>> = {
  spend: 'Spend',
  requests: 'Requests',
  total_tokens: 'Tokens',
  failed_requests: 'Failures',
};

/** Who spends what, over time; the table has the chart's numbers, and the file has them all. */
export function UsagePage() {
  const by = useChoice(BY);
  const range = useChoice(RANGE_CHOICE);
  const query = { ...queryOf(range, Date.now()), group_by: by };
  const usage = useUsage(query);
  // Until another answer is there the one before stays, which has its own names.
  const shown = (usage.data && dimensionOf(usage.data)) ?? by;
  const nameOf = useNames(shown);
  return (
    <Page
      title="Usage"
      sentence="Requests, tokens and spend over time. Days are days in UTC."
      action={
        <>
          <Choice of={RANGE_CHOICE} />
          <CsvButton load={() => fetchUsageCsv(query)} name={`usage-${by}-${range}`} />
        </>
      }
    >
      <div className={classes.choices}>
        <Choice of={BY} />
      </div>
      <QueryState query={usage} lines={8}>
        {(data) =>
          isUnused(data.totals) ? (
            <NothingUsed range={labelOfRange(range)} />
          ) : (
            <>
              <Figures usage={data} nameOf={nameOf} dimension={shown} />
              <LatencyChart />
            </>
          )
        }
      </QueryState>
    </Page>
  );
}

function Figures(props: {
  readonly usage: Usage;
  readonly nameOf: (group: Readonly<Record<string, string>>) => string;
  readonly dimension: Dimension;
}) {
  const { usage, nameOf, dimension } = props;
  const metric = useChoice(METRIC);
  const range = useChoice(RANGE_CHOICE);
  const currency = useCurrency();
  const by = BY.labelOf(dimension);
  const split = by.startsWith('API') ? by : by.toLowerCase();
  const label = `${METRIC_NAMES[metric]} by ${split}`;
  const parts = sumUsage(usage, dimension, nameOf);
  const times = sumOverTime(usage);
  return (
    <>
      <Section title={label} aside={<Choice of={METRIC} />}>
        <Panel>
          <TimeChart
            label={`${label}, ${labelOfRange(range)}`}
            kind="bars"
            series={toSeries(usage, metric, nameOf)}
            isSplit
            unit={metric === 'spend' ? moneyUnit(currency) : COUNTS}
            height={300}
          />
        </Panel>
      </Section>
      <Section title={`By ${split}`} aside={<AsOf at={usage.as_of} />}>
        <DataTable
          label={`Usage by ${split}`}
          rows={parts}
          columns={sumColumns(by, parts)}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => hrefOfPart(dimension, id)}
        />
      </Section>
      <Section title="Over time">
        <DataTable
          label="Usage over time"
          rows={times}
          columns={sumColumns('When', times)}
          keyOf={({ id }) => id}
        />
      </Section>
    </>
  );
}

/** How long answers took: half of them less than p50, all but one in twenty less than p95. */
function LatencyChart() {
  const range = useChoice(RANGE_CHOICE);
  const usage = useUsage(queryOf(range, Date.now()));
  return (
    <Section title="Time to the whole answer">
      <Panel>
        <QueryState query={usage} lines={5}>
          {(data) => (
            <TimeChart
              label={`Time to the whole answer, ${labelOfRange(range)}`}
              kind="lines"
              series={toLatency(data)}
              unit={DURATIONS}
            />
          )}
        </QueryState>
      </Panel>
    </Section>
  );
}

/** Says once that nothing was used, in place of empty charts and tables. */
function NothingUsed({ range }: { readonly range: string }) {
  return (
    <Section title={`Nothing was used in ${range}`}>
      <Panel>
        <Stack>
          <Text c="dimmed">
            What is asked with an API key stands here a moment later, with its tokens and its cost.
          </Text>
          <Snippets call={firstCall()} />
        </Stack>
      </Panel>
    </Section>
  );
}

/** The time of the newest counted request: it grows old while nobody asks anything. */
function AsOf({ at }: { readonly at: string | null }) {
  return (
    <span className={classes.asOf}>
      Last activity <Moment at={at} never="just now" />
    </span>
  );
}

/** Names of groups: a key by its name, a person by the email; one that is gone by its id. */
function useNames(by: Dimension): (group: Readonly<Record<string, string>>) => string {
  const keys = withOwnNames(useKeys().data ?? []);
  const me = useUser();
  const isManager = useIsManager();
  const members = useMembers(by === 'user' && isManager);
  return (group) => {
    const value = group[by] ?? '';
    if (value === '') return UNNAMED[by];
    if (by === 'user') {
      return [me, ...(members.data ?? [])].find(({ id }) => id === value)?.email ?? value;
    }
    if (by === 'key') return nameById(keys, value);
    return by === 'status' ? formatName(value) : value;
  };
}
