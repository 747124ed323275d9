import { AppError, type Clock, DAY_MS, invalid, toIsoTime } from '@tollgate/core';
import { bucketStart, bucketsBetween, granularityOf, type Interval } from '../domain/bucket';
import type { FigureFilter, FigureStore } from '../domain/ports';
import { addFigures, emptyFigures, type Figures } from '../domain/usage-figures';

/** By what an answer can be grouped. */
export type GroupDimension = 'model' | 'key' | 'user' | 'status' | 'channel' | 'account';

export interface UsageQuery {
  /** Undefined for every account: operators only. */
  readonly accountId: string | undefined;
  readonly startMs: number;
  readonly endMs: number;
  readonly interval: Interval;
  readonly groupBy: readonly GroupDimension[];
  readonly models: readonly string[];
  readonly keyIds: readonly string[];
  readonly operator: boolean;
}

/** One row of an answer. */
export interface UsageRow {
  readonly bucketMs: number;
  readonly group: readonly { readonly dimension: GroupDimension; readonly value: string }[];
  readonly figures: Figures;
}

/** The rows by time and group, their sum, and up to when the ledger is in them. */
export interface UsageAnswer {
  readonly rows: readonly UsageRow[];
  readonly totals: Figures;
  readonly asOfMs: number;
}

export interface QueryUsageOptions {
  readonly figures: FigureStore;
  readonly clock: Clock;
  readonly resultsMax: number;
  readonly documentsMax: number;
  readonly retentionMs: Readonly<Record<'minute' | 'hour', number>>;
  /** Figures before this time are incomplete, because a shorter retention deleted them; or 0. */
  keptSinceMs(granularity: 'minute' | 'hour'): number;
}

/** The dimensions that a denial has: it came before a model, a user or a channel did. */
const DIMENSIONS_OF_DENIALS: readonly GroupDimension[] = ['key', 'status', 'account'];

type Row = { bucketMs: number; group: UsageRow['group']; figures: Figures };

/** Answers the query; refuses one that would read or answer more than the configured bounds. */
export async function queryUsage(
  options: QueryUsageOptions,
  query: UsageQuery,
): Promise<UsageAnswer> {
  checkQuery(options, query);
  const { figures, documentsMax } = options;
  const granularity = granularityOf(query.interval);
  const filter: FigureFilter = {
    accountId: query.accountId,
    granularity,
    // A bucket counts when it begins within the range; the first one is the range's own.
    startMs: bucketStart(granularity, query.startMs),
    endMs: query.endMs,
    models: query.models,
    keyIds: query.keyIds,
  };
  const stored = await figures.read(filter, documentsMax + 1);
  const denials = await figures.readDenials(filter, documentsMax + 1);
  if (stored.length > documentsMax || denials.length > documentsMax) throw tooMuch();

  const rows = new Map<string, Row>();
  const totals = emptyFigures();
  const rowOf = (atMs: number, values: Readonly<Record<GroupDimension, string>>): Row => {
    const bucketMs = bucketStart(query.interval, atMs);
    const group = query.groupBy.map((dimension) => ({ dimension, value: values[dimension] }));
    const name = JSON.stringify([bucketMs, group]);
    const row = rows.get(name) ?? { bucketMs, group, figures: emptyFigures() };
    rows.set(name, row);
    return row;
  };
  for (const bucket of stored) {
    const { model, keyId: key, userId: user, status, channelId: channel } = bucket.dimensions;
    const account = bucket.dimensions.accountId;
    const row = rowOf(bucket.startMs, { model, key, user, status, channel, account });
    addFigures(row.figures, bucket.figures);
    addFigures(totals, bucket.figures);
  }
  const haveRows = query.groupBy.every((dimension) => DIMENSIONS_OF_DENIALS.includes(dimension));
  for (const denied of denials) {
    totals.rateLimited += denied.count;
    if (!haveRows) continue;
    const nothing = { model: '', user: '', status: 'rate_limited', channel: '' };
    const row = rowOf(denied.atMs, { ...nothing, key: denied.keyId, account: denied.accountId });
    row.figures.rateLimited += denied.count;
  }
  if (rows.size > options.resultsMax) throw tooMuch();
  const asOfMs = await figures.newestEntryMs(query.accountId);
  return { rows: [...rows.values()].sort(byTime), totals, asOfMs: asOfMs ?? options.clock.now() };
}

function byTime(a: UsageRow, b: UsageRow): number {
  if (a.bucketMs !== b.bucketMs) return a.bucketMs - b.bucketMs;
  return JSON.stringify(a.group).localeCompare(JSON.stringify(b.group));
}

function tooMuch(): AppError {
  return invalid('start', 'The range holds too much for one answer: narrow it or filter it.');
}

/** Figures that are not kept are refused: zeros would say that nothing happened. */
function requireKept(
  { retentionMs, keptSinceMs, clock }: QueryUsageOptions,
  interval: 'minute' | 'hour',
  startMs: number,
): void {
  const kept = `Figures by ${interval} are kept for ${Math.round(retentionMs[interval] / DAY_MS)} days`;
  if (startMs < clock.now() - retentionMs[interval]) throw invalid('start', `${kept}.`);
  const sinceMs = keptSinceMs(interval);
  if (startMs < sinceMs) {
    throw invalid('start', `${kept}, and there are none from before ${toIsoTime(sinceMs)}.`);
  }
}

function checkQuery(options: QueryUsageOptions, query: UsageQuery): void {
  const { startMs, endMs, interval, groupBy } = query;
  if (endMs <= startMs) throw invalid('end', 'end must be after start.');
  if (bucketsBetween(interval, startMs, endMs) > options.resultsMax) {
    throw invalid('interval', 'The range has too many intervals: narrow it or use a longer one.');
  }
  if (interval === 'minute' || interval === 'hour') requireKept(options, interval, startMs);
  const reserved = groupBy.find((dimension) => dimension === 'channel' || dimension === 'account');
  if (reserved !== undefined && !query.operator) {
    throw new AppError('FORBIDDEN', { publicMessage: `Only operators group by ${reserved}.` });
  }
  if (query.accountId === undefined && !query.operator) throw new AppError('FORBIDDEN');
}
