import { useUsage } from '../../api/stats';
import { labelOfRange, questionOf, RANGE_CHOICE } from '../../charts/range';
import { toLatency } from '../../charts/series';
import { TimeChart } from '../../charts/time-chart';
import { DURATIONS } from '../../charts/units';
import { useChoice } from '../../components/choice';
import { Panel, Section } from '../../components/page';
import { QueryState } from '../../components/query-state';

/** How long answers took: half of them less than p50, all but one in twenty less than p95. */
export function LatencyChart() {
  const range = useChoice(RANGE_CHOICE);
  const usage = useUsage(questionOf(range, Date.now()));
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
