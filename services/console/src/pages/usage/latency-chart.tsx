import type { Usage } from '../../api/schemas';
import { useUsage } from '../../api/stats';
import { labelOfRange, questionOf, RANGE_CHOICE } from '../../charts/range';
import type { Series } from '../../charts/series';
import { TimeChart } from '../../charts/time-chart';
import { DURATIONS } from '../../charts/units';
import { useChoice } from '../../components/choice';
import { Panel, Section } from '../../components/page';
import { QueryState } from '../../components/query-state';
import { formatBucket } from '../../format/time';

/** How long answers took: half of them less than p50, all but one in twenty less than p95. */
export function LatencyChart(props: { readonly accountId?: string }) {
  const range = useChoice(RANGE_CHOICE);
  const scope = props.accountId === undefined ? {} : { account_id: props.accountId };
  const usage = useUsage({ ...questionOf(range, Date.now()), ...scope });
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

/** A bucket without requests has no time, which is no zero. */
function toLatency({ results, interval }: Usage): Series {
  return {
    names: ['p50', 'p95'],
    rows: results.flatMap(({ bucket, metrics }) =>
      metrics.latency_ms === null
        ? []
        : [
            {
              at: bucket,
              label: formatBucket(bucket, interval),
              values: [metrics.latency_ms.p50, metrics.latency_ms.p95],
            },
          ],
    ),
  };
}
