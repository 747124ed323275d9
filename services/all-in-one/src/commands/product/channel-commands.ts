import { createSystemClock, DAY_MS, HOUR_MS } from '@tollgate/core';
import type { StatsMetrics } from '@tollgate/gateway';
import type { Command } from 'commander';
import { NotFoundError, type Product } from '../product-client';
import type { AddCommand } from './add-command';
import {
  type DescribedChannel,
  describeChannel,
  describePace,
  describeTimeouts,
  listCooling,
  type TimeoutsInForce,
} from './describe-channel';
import { type Channel, findChannel, listChannels } from './find-named';

const CHANNEL_CHANGES = [
  ['disable', 'disabled', 'calls its vendor no more until it is enabled'],
  ['enable', 'enabled', 'lets it be called again, also after it was disabled automatically'],
] as const;

/** What concerns one way to a vendor: whether it is called, and how it does. */
export function addChannel(channel: Command, addCommand: AddCommand): void {
  for (const [name, status, what] of CHANNEL_CHANGES) {
    addCommand(
      channel.command(name).argument('<channel>', 'its id or its name').description(what),
      async (product, [named = '']) => {
        const { id } = await findChannel(product, named);
        const change = { method: 'PATCH', body: { status } } as const;
        return product.ask(`/v1/admin/channels/${encodeURIComponent(id)}`, change);
      },
    );
  }
  addCommand(
    channel
      .command('list')
      .description('each with its health, and whether it is slow and compared with what'),
    async (product) => {
      const channels = await listChannels(product);
      const off = await readDisabled(product, channels);
      return channels.map(({ id, name, type, status, disabled_reason, ...listed }) => ({
        id,
        name,
        type,
        status,
        disabled_reason: off.get(id) ?? disabled_reason,
        pace: describePace(listed),
        health: listed.health.state,
        breaker: listed.health.breaker,
        cools_down: listCooling(listed.health) || null,
        last_error: listed.health.last_error,
        last_error_at: listed.health.last_error_at,
        no_room_at: listed.health.no_room_at,
      }));
    },
    [
      'id',
      'name',
      'type',
      'status',
      'health',
      'breaker',
      'cools_down',
      'disabled_reason',
      'last_error',
      'no_room_at',
      'pace',
    ],
  );
  addCommand(
    channel
      .command('show')
      .argument('<channel>', 'its id or its name')
      .description(
        'its settings, the time-outs in force, health, whether it is slow, and its figures of this ' +
          'hour, the hour before, yesterday',
      ),
    async (product, [named = ''], { json }) => {
      const { id } = await findChannel(product, named);
      const only = (await product.ask(
        `/v1/admin/channels/${encodeURIComponent(id)}`,
      )) as ShownChannel;
      const now = createSystemClock().now();
      const [thisHour, hourBefore, yesterday] = await readFigures(product, now);
      return {
        in_short: describeChannel(only, now),
        ...(json ? only : toDescribed(only)),
        this_hour: toFigures(only.id, thisHour),
        hour_before: toFigures(only.id, hourBefore),
        yesterday: toFigures(only.id, yesterday),
      };
    },
  );
}

/** Channels of which a list says who disabled them and when: each of them is asked for. */
const DISABLED_READ_MAX = 10;

/** Who disabled channels and when, by their ids. */
async function readDisabled(
  product: Product,
  channels: readonly Channel[],
): Promise<ReadonlyMap<string, string>> {
  const disabled = channels.filter(({ status }) => status === 'disabled');
  const read = disabled.slice(0, DISABLED_READ_MAX).map(async ({ id }) => {
    // One may have been deleted since the list was read.
    const shown = await product
      .ask(`/v1/admin/channels/${encodeURIComponent(id)}`)
      .catch(orNothing);
    const { at, by } = (shown as ShownChannel | undefined)?.switched_off ?? {};
    return at === undefined ? [] : [[id, `${by ?? 'somebody'}, ${at}`] as const];
  });
  return new Map((await Promise.all(read)).flat());
}

function orNothing(error: unknown): undefined {
  if (!(error instanceof NotFoundError)) throw error;
}

/** Zeros that stand for a default say nothing to people: they see what holds. */
function toDescribed({ timeouts_in_force, ...channel }: ShownChannel): object {
  return { ...channel, timeouts: describeTimeouts(timeouts_in_force) };
}

const NO_CALLS = 'no calls';

/** The figures of each channel by id: of this hour, the one before and the day before. */
function readFigures(product: Product, now: number) {
  const hour = Math.floor(now / HOUR_MS) * HOUR_MS;
  const day = Math.floor(now / DAY_MS) * DAY_MS;
  const ranges = [
    ['hour', hour, now],
    ['hour', hour - HOUR_MS, hour],
    ['day', day - DAY_MS, day],
  ] as const;
  return Promise.all(
    ranges.map(async ([interval, startMs, endMs]) => {
      const [start, end] = [startMs, Math.max(endMs, startMs + 1)].map((ms) =>
        new Date(ms).toISOString(),
      );
      const query = `group_by=channel&account_id=all&interval=${interval}&start=${start}&end=${end}`;
      const asked = product.ask(`/v1/stats?${query}`) as Promise<Stats>;
      return asked.then(
        ({ results }) => new Map(results.map(({ group, metrics }) => [group.channel, metrics])),
        // Whoever looks at a channel in an outage wants its health, whether or not statistics answer.
        ({ message }: Error) => `not known: ${message}`,
      );
    }),
  );
}

function toFigures(id: string, read: ReadonlyMap<string, Metrics> | string | undefined) {
  if (typeof read === 'string') return read;
  const metrics = read?.get(id);
  if (metrics === undefined) return NO_CALLS;
  const { requests, timed_out_requests, latency_ms, first_token_ms } = metrics;
  const { client_gone_requests, failed_requests, invalid_requests = 0 } = metrics;
  const inWords = (figures: Percentiles, of: string) =>
    figures === null ? '-' : `p50 ${figures.p50}, p95 ${figures.p95}, p99 ${figures.p99} ${of}`;
  return {
    requests,
    // A client that left, or asked for something wrong, says nothing of the vendor.
    failed_requests: failed_requests - client_gone_requests - invalid_requests,
    timed_out_requests,
    client_gone_requests,
    invalid_requests,
    latency_ms: inWords(latency_ms, 'of those that were answered'),
    first_token_ms: inWords(first_token_ms, 'of those that began to answer'),
  };
}

interface ShownChannel extends Channel, Pick<DescribedChannel, 'switched_off'> {
  readonly timeouts_in_force: TimeoutsInForce;
}

/** What is told of a channel's calls in some time. */
type Metrics = Pick<
  StatsMetrics,
  | 'client_gone_requests'
  | 'failed_requests'
  | 'first_token_ms'
  | 'latency_ms'
  | 'requests'
  | 'timed_out_requests'
> & {
  /** A service of 0.1.0 does not count them. */
  readonly invalid_requests?: number;
};
type Percentiles = Metrics['latency_ms'];

interface Stats {
  readonly results: readonly {
    readonly group: { readonly channel: string };
    readonly metrics: Metrics;
  }[];
}
