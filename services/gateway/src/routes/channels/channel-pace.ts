import { toIsoTime } from '@tollgate/core';
import type { routingV1, statsV1 } from '@tollgate/protos';
import { z } from 'zod';
import type { OperationContext, Services } from '../operation';
import { named } from '../values';

/** Fewer requests tell nothing of their slowest twentieth. */
const REQUESTS_MIN = 20;
const SLOW_TIMES = 2;
/** Nobody waits longer by less than this, however many times as long it is. */
const SLOWER_MS_MIN = 200;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Statistics that are too busy keep no list of channels waiting. */
const DEADLINE_MS = 2_000;

const METRICS = ['first_token_ms', 'latency_ms'] as const;
type Metric = (typeof METRICS)[number];

export const paceSchema = named('ChannelPace', {
  state: z.enum(['slow', 'usual', 'unknown']).meta({
    description: `slow: more than ${SLOW_TIMES} times as long as what it is compared with.`,
  }),
  metric: z.enum(METRICS).nullable().meta({
    description: 'To the first token, or to the whole answer where nothing is streamed.',
  }),
  p95_ms: z
    .number()
    .nullable()
    .meta({
      description: `Of this hour, or of the one before while this has fewer than ${REQUESTS_MIN} requests.`,
    }),
  usual_p95_ms: z.number().nullable(),
  compared_with: z.enum(['yesterday', 'hour_before', 'other_channel']).nullable().meta({
    description: 'The fastest other channel of its models, where it has no past of its own.',
  }),
  in_words: z.string(),
});
export type ChannelPace = z.infer<typeof paceSchema>;

type Channel = Pick<routingV1.Channel__Output, 'id' | 'models' | 'name' | 'ownerAccountId'>;
type Metrics = statsV1.UsageMetrics__Output;
type ByChannel = ReadonlyMap<string, Metrics>;

/** What was asked of each channel, by its id. */
export interface ChannelFigures {
  readonly thisHour: ByChannel;
  readonly hourBefore: ByChannel;
  /** The whole day, UTC. */
  readonly yesterday: ByChannel;
}

export async function readChannelFigures(
  { clock, stats }: Pick<Services, 'clock' | 'stats'>,
  rpc: OperationContext['rpc'],
): Promise<ChannelFigures> {
  const nowMs = clock.now();
  const hourMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  const dayMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const read = async (interval: statsV1.Interval, startMs: number, lengthMs: number) => {
    const span = { start: toIsoTime(startMs), end: toIsoTime(startMs + lengthMs) };
    const { results } = await stats.queryUsage(
      { ...span, interval, accountId: '', operator: true, groupBy: ['DIMENSION_CHANNEL'] },
      { ...rpc, deadlineMs: DEADLINE_MS },
    );
    const found = results.flatMap(({ group, metrics }) =>
      metrics === null ? [] : [[group[0]?.value ?? '', metrics] as const],
    );
    return new Map(found);
  };
  // Whole hours and days: who asks again within one shares the answer.
  const [thisHour, hourBefore, yesterday] = await Promise.all([
    read('INTERVAL_HOUR', hourMs, HOUR_MS),
    read('INTERVAL_HOUR', hourMs - HOUR_MS, HOUR_MS),
    read('INTERVAL_DAY', dayMs - DAY_MS, DAY_MS),
  ]);
  return { thisHour, hourBefore, yesterday };
}

interface Compared {
  readonly with: Exclude<ChannelPace['compared_with'], null>;
  readonly when: string;
  readonly metrics: Metrics;
}

/**
 * Whether a channel is slower than it used to be, failures or not: by what 95 of 100 of its requests
 * waited for. One without a past is compared with the fastest other channel of its models.
 */
export function paceOf(
  figures: ChannelFigures,
  channel: Channel,
  channels: readonly Channel[],
): ChannelPace {
  const { hourBefore, thisHour, yesterday } = figures;
  const { id } = channel;
  const isNow = hasEnough(thisHour.get(id));
  const [late, when] = isNow
    ? ([thisHour, 'in this hour'] as const)
    : ([hourBefore, 'in the hour before'] as const);
  const metrics = late.get(id);
  if (!hasEnough(metrics)) {
    const [now, before] = [thisHour, hourBefore].map((hour) => countOf(hour.get(id)));
    return unknown(
      `Too few requests to tell: ${now} in this hour and ${before} in the hour before; ` +
        `${REQUESTS_MIN} in one are needed.`,
    );
  }
  const past: readonly (Omit<Compared, 'metrics'> & { readonly metrics: Metrics | undefined })[] = [
    { with: 'yesterday', when: 'yesterday', metrics: yesterday.get(id) },
    ...(isNow
      ? [{ with: 'hour_before' as const, when: 'in the hour before', metrics: hourBefore.get(id) }]
      : []),
  ];
  const usual =
    past.find((one): one is Compared => hasEnough(one.metrics)) ??
    findFastest(late, metrics, channel, channels);
  return compare(metrics, when, usual);
}

/** The channels that an operator should hear of, in the words of an alert. */
export function findSlow(
  figures: ChannelFigures,
  channels: readonly (Channel & Pick<routingV1.Channel__Output, 'status'>)[],
) {
  return channels.flatMap((channel) => {
    const { id, name, status } = channel;
    const { in_words: detail, state } = paceOf(figures, channel, channels);
    if (status !== 'CHANNEL_STATUS_ENABLED' || state !== 'slow') return [];
    const subject = { type: 'channel' as const, id };
    return [{ rule: 'channel_slow' as const, subject, title: `${name} is slow`, detail }];
  });
}

function compare(metrics: Metrics, when: string, usual: Compared | undefined): ChannelPace {
  const metric = metricOf(metrics, usual?.metrics);
  const p95_ms = p95Of(metrics, metric);
  const what = metric === 'first_token_ms' ? 'first tokens' : 'answers';
  const now = `95 of 100 ${what} came within ${say(p95_ms)} ${when}`;
  const measured = { metric, p95_ms };
  if (usual === undefined) {
    return { ...unknown(`${now}; there is nothing to compare it with yet.`), ...measured };
  }
  const usual_p95_ms = p95Of(usual.metrics, metric);
  const isSlow = p95_ms > usual_p95_ms * SLOW_TIMES && p95_ms - usual_p95_ms >= SLOWER_MS_MIN;
  return {
    state: isSlow ? 'slow' : 'usual',
    ...measured,
    usual_p95_ms,
    compared_with: usual.with,
    in_words:
      `${isSlow ? 'Slow' : 'As usual'}: ${now}, ` +
      `and within ${say(usual_p95_ms)} ${usual.when}.`,
  };
}

function unknown(in_words: string): ChannelPace {
  const nothing = { metric: null, p95_ms: null, usual_p95_ms: null, compared_with: null };
  return { state: 'unknown', ...nothing, in_words };
}

/** Of the shared channels that serve one of its models and had enough requests in the same time. */
function findFastest(
  late: ByChannel,
  own: Metrics,
  { id, models }: Channel,
  channels: readonly Channel[],
): Compared | undefined {
  const names = new Set(models.map(({ name }) => name));
  const others = channels.flatMap((other) => {
    const metrics = late.get(other.id);
    const isLike = other.ownerAccountId === '' && other.models.some(({ name }) => names.has(name));
    if (other.id === id || !isLike || !hasEnough(metrics)) return [];
    const ms = p95Of(metrics, metricOf(own, metrics));
    const when = `at ${other.name}, which serves the same`;
    return [{ ms, found: { with: 'other_channel' as const, when, metrics } }];
  });
  return others.sort((a, b) => a.ms - b.ms)[0]?.found;
}

/** First tokens where both have them. */
function metricOf(metrics: Metrics, other: Metrics | undefined): Metric {
  const isStreamed = metrics.firstTokenMs !== null && other?.firstTokenMs !== null;
  return isStreamed ? 'first_token_ms' : 'latency_ms';
}

function p95Of({ firstTokenMs, latencyMs }: Metrics, metric: Metric): number {
  const percentiles = metric === 'first_token_ms' ? firstTokenMs : latencyMs;
  return Math.round(percentiles?.p95 ?? 0);
}

function countOf(metrics: Metrics | undefined): number {
  return Number(metrics?.requests ?? 0);
}

function hasEnough(metrics: Metrics | undefined): metrics is Metrics {
  return countOf(metrics) >= REQUESTS_MIN;
}

/** Seconds where milliseconds are too many to read. */
function say(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
