import { AppError, type Clock, DAY_MS, invalid, toIsoTime } from '@tollgate/core';
import {
  bucketEnd,
  bucketStart,
  bucketsBetween,
  granularityOf,
  type Interval,
} from '../domain/bucket';
import type { FigureFilter, FigureStore } from '../domain/ports';
import { addFigures, emptyFigures, type Figures } from '../domain/usage-figures';
import type { SharedAnswers } from './shared-answers';

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
  /** Stored figures and denials that a query of one account may read. */
  readonly documentsMax: number;
  /** Answers for all accounts, which many ask for. */
  readonly shared: SharedAnswers<UsageAnswer>;
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
  const granularity = granularityOf(query.interval);
  // A bucket counts when it begins within the range, and then as a whole.
  const startMs = bucketStart(granularity, query.startMs);
  const whole = { ...query, startMs, endMs: bucketEnd(granularity, query.endMs) };
  if (query.accountId !== undefined) return answer(options, whole);
  // Pages of operators ask again and again, and the answer grows with the number of accounts.
  return options.shared(JSON.stringify(whole), () => answer(options, whole));
}

/** Adds up what is read as it comes: what is in memory grows with the rows of the answer alone. */
async function answer(options: QueryUsageOptions, query: UsageQuery): Promise<UsageAnswer> {
  const { figures, clock } = options;
  const { accountId, startMs, endMs, models, keyIds } = query;
  const granularity = granularityOf(query.interval);
  const filter: FigureFilter = { accountId, granularity, startMs, endMs, models, keyIds };
  const countRead = createReadBound(options, query);
  // Before the figures: what is posted while they are read may be in them or not.
  const asOfMs = (await figures.newestEntryMs(accountId)) ?? clock.now();

  const rows = new Map<string, Row>();
  const totals = emptyFigures();
  const rowOf = (atMs: number, values: Readonly<Record<GroupDimension, string>>): Row => {
    const bucketMs = bucketStart(query.interval, atMs);
    const group = query.groupBy.map((dimension) => ({ dimension, value: values[dimension] }));
    const name = JSON.stringify([bucketMs, group]);
    const row = rows.get(name) ?? { bucketMs, group, figures: emptyFigures() };
    rows.set(name, row);
    if (rows.size > options.resultsMax) throw tooMuch();
    return row;
  };
  for await (const bucket of figures.read(filter)) {
    countRead();
    const { model, keyId: key, userId: user, status, channelId: channel } = bucket.dimensions;
    const account = bucket.dimensions.accountId;
    const row = rowOf(bucket.startMs, { model, key, user, status, channel, account });
    addFigures(row.figures, bucket.figures);
    addFigures(totals, bucket.figures);
  }
  const haveRows = query.groupBy.every((dimension) => DIMENSIONS_OF_DENIALS.includes(dimension));
  for await (const denied of figures.readDenials(filter)) {
    countRead();
    totals.rateLimited += denied.count;
    if (!haveRows) continue;
    const nothing = { model: '', user: '', status: 'rate_limited', channel: '' };
    const row = rowOf(denied.atMs, { ...nothing, key: denied.keyId, account: denied.accountId });
    row.figures.rateLimited += denied.count;
  }
  return { rows: [...rows.values()].sort(byTime), totals, asOfMs };
}

/** How long an answer for all accounts may be read, milliseconds. */
const READ_MS_MAX = 60_000;

/**
 * Refuses a query that reads too much: of one account by the number of documents; of all accounts,
 * of which nobody can say how many they should be, by the time.
 */
function createReadBound(
  { documentsMax, clock }: QueryUsageOptions,
  { accountId }: UsageQuery,
): () => void {
  const endsMs = clock.monotonicMs() + READ_MS_MAX;
  let documents = 0;
  return () => {
    documents += 1;
    const isTooMuch =
      accountId === undefined ? clock.monotonicMs() > endsMs : documents > documentsMax;
    if (isTooMuch) throw tooMuch();
  };
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
