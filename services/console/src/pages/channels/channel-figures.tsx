import { useUsage } from '../../api/stats';
import { questionOf } from '../../charts/range';
import { toLatency, toOutcomes } from '../../charts/series';
import { TimeChart } from '../../charts/time-chart';
import { COUNTS, DURATIONS } from '../../charts/units';
import { QueryState } from '../../components/query-state';
import { DrawerSection } from '../../components/side-drawer';

const HEIGHT = 160;
const OUTCOME_COLORS = ['toll.5', 'red.6', 'gray.5'];

/** The last 24 hours of all accounts, split by channel: one question for every channel's drawer. */
export function useDayByChannel() {
  return useUsage({
    ...questionOf('24h', Date.now()),
    account_id: 'all',
    group_by: 'channel',
  });
}

/** How the channel did in the last 24 hours: what failed, and how long people waited. */
export function ChannelFigures({ channelId }: { readonly channelId: string }) {
  const day = useDayByChannel();
  return (
    <QueryState query={day} lines={4}>
      {(usage) => {
        const results = usage.results.filter(({ group }) => group.channel === channelId);
        const own = { ...usage, results };
        // A drawing without anything in it says less than its absence.
        if (results.length === 0) return null;
        return (
          <>
            <DrawerSection title="Requests in 24 hours">
              <TimeChart
                label="Requests of the channel by outcome, 24 hours"
                kind="bars"
                series={toOutcomes(own)}
                unit={COUNTS}
                colors={OUTCOME_COLORS}
                height={HEIGHT}
              />
            </DrawerSection>
            <DrawerSection title="Time to the first token">
              <TimeChart
                label="Time to the first token of the channel, 24 hours"
                kind="lines"
                series={toLatency(own, 'first_token_ms')}
                unit={DURATIONS}
                height={HEIGHT}
              />
            </DrawerSection>
          </>
        );
      }}
    </QueryState>
  );
}
