import { DAY_MS, HOUR_MS, toIsoTime } from '@tollgate/core';
import type { routingV1, statsV1 } from '@tollgate/protos';
import { z } from 'zod';
import type { Services } from '../operation';
import { named } from '../payloads/values';
import { countServerFailures } from '../stats/stats';

/** Fewer answers, or first tokens, tell nothing of their slowest twentieth. */
const MEASURED_MIN = 20;
const SLOW_TIMES = 2;
/** Nobody waits longer by less than this, however many times as long it is. */
const SLOWER_MS_MIN = 200;
/** Statistics that are too busy keep no list of channels waiting. */
const DEADLINE_MS = 2_000;

const METRICS = ['first_token_ms', 'latency_ms'] as const;
type Metric = (typeof METRICS)[number];

export const paceSchema = named('ChannelPace', {
  state: z
    .enum(['slow', 'usual', 'unknown'])
    .describe(`slow: more than ${SLOW_TIMES} times as long as what it is compared with.`),
  metric: z
    .enum(METRICS)
    .nullable()
    .describe(
      'To the first token, or to the whole answer where most is not streamed or streams are few.',
    ),
  p95_ms: z
    .number()
    .nullable()
    .describe(
      `Of this hour, or of the one before while this has fewer than ${MEASURED_MIN} answers.`,
    ),
  usual_p95_ms: z.number().nullable(),
  compared_with: z
    .enum(['yesterday', 'hour_before', 'other_channel'])
    .nullable()
    .describe('The fastest other channel of its models, where it has no past of its own.'),
  in_words: z.string().describe('The figures, with what failed and what is faster, in sentences.'),
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

export async function readChannelFigures({
  clock,
  stats,
}: Pick<Services, 'clock' | 'stats'>): Promise<ChannelFigures> {
  const now = clock.now();
  const hourMs = Math.floor(now / HOUR_MS) * HOUR_MS;
  const dayMs = Math.floor(now / DAY_MS) * DAY_MS;
  const read = async (interval: statsV1.Interval, startAtMs: number, lengthMs: number) => {
    const span = { start: toIsoTime(startAtMs), end: toIsoTime(startAtMs + lengthMs) };
    const { results } = await stats.queryUsage(
      { ...span, interval, accountId: '', operator: true, groupBy: ['DIMENSION_CHANNEL'] },
      { deadlineMs: DEADLINE_MS },
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
  readonly metrics: Metrics | undefined;
}

/**
 * Whether a channel is slower than it used to be: by what 95 of 100 of its answers took. One without
 * a past is compared with the fastest other channel of its models. Calls that failed are named apart:
 * the bound that they ran into is no answer's time.
 */
export function channelPaceOf(
  figures: ChannelFigures,
  channel: Channel,
  channels: readonly Channel[],
): ChannelPace {
  const { hourBefore, thisHour, yesterday } = figures;
  const { id } = channel;
  const isNow = METRICS.some((metric) => hasEnough(thisHour.get(id), metric));
  const [recent, when] = isNow
    ? ([thisHour, 'in this hour'] as const)
    : ([hourBefore, 'in the hour before'] as const);
  const metrics = recent.get(id);
  const measured = byTraffic(metrics).filter((metric) => hasEnough(metrics, metric));
  const [usualMetric] = measured;
  if (usualMetric === undefined) return tooFew(thisHour.get(id), hourBefore.get(id));
  const past: readonly Compared[] = [
    { with: 'yesterday', when: 'yesterday', metrics: yesterday.get(id) },
    ...(isNow
      ? [{ with: 'hour_before' as const, when: 'in the hour before', metrics: hourBefore.get(id) }]
      : []),
  ];
  const compared = measured.flatMap((metric) => {
    const own = past.find((one) => hasEnough(one.metrics, metric));
    const fastest = findFastest(recent, metric, channel, channels);
    const usual = own ?? fastest;
    return usual === undefined ? [] : [{ metric, usual, fastest }];
  });
  const { fastest, metric, usual } = compared[0] ?? { metric: usualMetric };
  const pace = compare({ metrics, metric, when }, usual);
  const sentences = [pace.in_words, sayFaster(pace, usual, fastest), sayFailed(metrics)];
  return { ...pace, in_words: sentences.filter((sentence) => sentence !== '').join(' ') };
}

/** The channels that an operator should hear of, in the words of an alert. */
export function findSlow(
  figures: ChannelFigures,
  channels: readonly (Channel & Pick<routingV1.Channel__Output, 'status'>)[],
) {
  return channels.flatMap((channel) => {
    const { id, name, status } = channel;
    const { in_words: detail, state } = channelPaceOf(figures, channel, channels);
    if (status !== 'CHANNEL_STATUS_ENABLED' || state !== 'slow') return [];
    const subject = { type: 'channel' as const, id };
    return [{ rule: 'channel_slow' as const, subject, title: `${name} is slow`, detail }];
  });
}

interface Measured {
  readonly metrics: Metrics | undefined;
  readonly metric: Metric;
  readonly when: string;
}

function compare({ metric, metrics, when }: Measured, usual: Compared | undefined): ChannelPace {
  const p95_ms = p95Of(metrics, metric);
  const what = metric === 'first_token_ms' ? 'first tokens' : 'answers';
  const now = `95 of 100 ${what} came within ${say(p95_ms)} ${when}`;
  const measured = { metric, p95_ms };
  if (usual === undefined) {
    return { ...unknown(`${now}; there is nothing to compare it with yet.`), ...measured };
  }
  const usual_p95_ms = p95Of(usual.metrics, metric);
  const isSlow = isSlower(p95_ms, usual_p95_ms);
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

function isSlower(ms: number, thanMs: number): boolean {
  return ms > thanMs * SLOW_TIMES && ms - thanMs >= SLOWER_MS_MIN;
}

/** Names a much faster channel: one that was always slow does not show beside its own past. */
function sayFaster(
  { metric, p95_ms }: ChannelPace,
  usual: Compared | undefined,
  fastest: Compared | undefined,
): string {
  if (metric === null || p95_ms === null || fastest === undefined || fastest === usual) return '';
  const ms = p95Of(fastest.metrics, metric);
  return isSlower(p95_ms, ms) ? `Much faster: within ${say(ms)} ${fastest.when}.` : '';
}

/** `3 of 53 requests failed, 2 of them timed out.` */
function sayFailed(metrics: Metrics | undefined): string {
  const [failed, timedOut, requests] = [
    countServerFailures(metrics),
    Number(metrics?.timedOutRequests ?? 0),
    requestsOf(metrics),
  ];
  if (failed <= 0) return '';
  if (timedOut >= failed) return `${timedOut} of ${requests} requests timed out.`;
  const some = timedOut === 0 ? '' : `, ${timedOut} of them timed out`;
  return `${failed} of ${requests} requests failed${some}.`;
}

function tooFew(thisHour: Metrics | undefined, hourBefore: Metrics | undefined): ChannelPace {
  const [now, before] = [thisHour, hourBefore].map((hour) => answersOf(hour, 'latency_ms'));
  const few =
    `Too few answers to tell: ${now} in this hour and ${before} in the hour before; ` +
    `${MEASURED_MIN} in one are needed.`;
  const failed = sayFailed(thisHour);
  return unknown(failed === '' ? few : `${few} ${failed.replace(/\.$/, ' in this hour.')}`);
}

function unknown(in_words: string): ChannelPace {
  const nothing = { metric: null, p95_ms: null, usual_p95_ms: null, compared_with: null };
  return { state: 'unknown', ...nothing, in_words };
}

/** The fastest shared channel that serves one of its models and had enough answers in that time. */
function findFastest(
  recent: ByChannel,
  metric: Metric,
  { id, models }: Channel,
  channels: readonly Channel[],
): Compared | undefined {
  const names = new Set(models.map(({ name }) => name));
  const others = channels.flatMap((other) => {
    const metrics = recent.get(other.id);
    const isLike = other.ownerAccountId === '' && other.models.some(({ name }) => names.has(name));
    if (other.id === id || !isLike || !hasEnough(metrics, metric)) return [];
    const when = `at ${other.name}, which serves the same`;
    const compared = { with: 'other_channel' as const, when, metrics };
    return [{ ms: p95Of(metrics, metric), compared }];
  });
  return others.sort((a, b) => a.ms - b.ms)[0]?.compared;
}

/** What carries the traffic first: first tokens where at least half of the answers are streams. */
function byTraffic(metrics: Metrics | undefined): readonly Metric[] {
  const isStreamed = answersOf(metrics, 'first_token_ms') * 2 >= answersOf(metrics, 'latency_ms');
  return isStreamed ? METRICS : ['latency_ms', 'first_token_ms'];
}

function percentilesOf(metrics: Metrics | undefined, metric: Metric) {
  return metric === 'first_token_ms' ? metrics?.firstTokenMs : metrics?.latencyMs;
}

function p95Of(metrics: Metrics | undefined, metric: Metric): number {
  return Math.round(percentilesOf(metrics, metric)?.p95 ?? 0);
}

/** How many answers, or first tokens, the percentiles are made of. */
function answersOf(metrics: Metrics | undefined, metric: Metric): number {
  return Number(percentilesOf(metrics, metric)?.count ?? 0);
}

function requestsOf(metrics: Metrics | undefined): number {
  return Number(metrics?.requests ?? 0);
}

function hasEnough(metrics: Metrics | undefined, metric: Metric): boolean {
  return answersOf(metrics, metric) >= MEASURED_MIN;
}

/** Seconds where milliseconds are too many to read. */
function say(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
