import {
  AppError,
  type Clock,
  DAY_MS,
  invalid,
  NANO_MAX,
  type TurnsByKey,
  toIsoTime,
  type WaitingCall,
  waitBoundOf,
} from '@tollgate/core';
import {
  bucketEnd,
  bucketStart,
  bucketsBetween,
  granularityOf,
  type Interval,
} from '../domain/bucket';
import type { DenialStore, FigureFilter, FigureStore } from '../domain/ports';
import {
  addFigures,
  emptyFigures,
  type Figures,
  ownTimesOf,
  unansweredIn,
  withoutAnswerTimes,
} from '../domain/usage-figures';
import type { SharedAnswers } from './shared-answers';

/** By what an answer can be grouped. */
export const GROUP_DIMENSIONS = ['model', 'key', 'user', 'status', 'channel', 'account'] as const;
export type GroupDimension = (typeof GROUP_DIMENSIONS)[number];

export interface UsageQuery {
  /** Empty for every account. Only operators ask of more than one. */
  readonly accountIds: readonly string[];
  readonly startMs: number;
  readonly endMs: number;
  readonly interval: Interval;
  readonly groupBy: readonly GroupDimension[];
  readonly models: readonly string[];
  readonly keyIds: readonly string[];
  readonly operator: boolean;
  /**
   * Only so many groups, those with the most failed and refused requests, the worst first: each is
   * one row of the whole range. 0 for every row.
   */
  readonly worst: number;
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
  readonly figureStore: FigureStore;
  readonly denialStore: DenialStore;
  readonly clock: Clock;
  readonly resultsMax: number;
  /** Stored figures and denials that a query of one account may read. */
  readonly documentsMax: number;
  /** Queries of one account take turns, by account. */
  readonly inTurn: TurnsByKey;
  /** Answers for all accounts or several, which many ask for. */
  readonly shared: SharedAnswers<UsageAnswer>;
  readonly retentionMs: Readonly<Record<'minute' | 'hour', number>>;
  /** Figures before this time are incomplete, because a shorter retention deleted them; or 0. */
  keptSinceAtMs(granularity: 'minute' | 'hour'): number;
}

/** What a denial has not: it came before a model, a user or a channel did. */
const NO_DIMENSIONS = { model: '', user: '', channel: '' };

type Row = { bucketMs: number; group: UsageRow['group']; figures: Figures };

/** Answers the query; refuses one that would read or answer more than the configured bounds. */
export async function queryUsage(
  options: QueryUsageOptions,
  query: UsageQuery,
  call: WaitingCall,
): Promise<UsageAnswer> {
  checkQuery(options, query);
  const granularity = granularityOf(query.interval);
  // A bucket counts when it begins within the range, and then as a whole.
  const startMs = bucketStart(granularity, query.startMs);
  const whole = { ...query, startMs, endMs: bucketEnd(granularity, query.endMs) };
  const accountId = onlyAccountOf(query);
  if (accountId !== undefined) {
    const answerOwn = () => answer(options, whole, createOwnBound(options, call));
    return options.inTurn(accountId, answerOwn, waitBoundOf(call));
  }
  // Pages of operators ask again and again, and the answer grows with the number of accounts.
  return options.shared(JSON.stringify(whole), () =>
    answer(options, whole, createTimeBound(options.clock, READ_MS_MAX)),
  );
}

/** Adds up what is read as it comes: what is in memory grows with the rows of the answer alone. */
async function answer(
  options: QueryUsageOptions,
  query: UsageQuery,
  countRead: ReadBound,
): Promise<UsageAnswer> {
  const { clock } = options;
  const filter = filterOf(query);
  // Before the figures: what is posted while they are read may be in them or not.
  const asOfMs = (await options.figureStore.newestEntryMs(onlyAccountOf(query))) ?? clock.now();

  const read = () => readGrouped(options, query, filter, countRead);
  const chosen = query.worst === 0 ? undefined : await findWorst(read(), query.worst);
  const rows = new Map<string, Row>();
  const totals = emptyFigures();
  const isByStatus = query.groupBy.includes('status');
  for await (const { atMs, group, isFailed, figures } of read()) {
    // The times of failed requests count in rows by status alone: totals and other rows have none.
    const counted = isFailed ? withoutAnswerTimes(figures) : figures;
    addFigures(totals, counted);
    if (chosen?.has(JSON.stringify(group)) === false) continue;
    const bucketMs = chosen === undefined ? bucketStart(query.interval, atMs) : query.startMs;
    const name = JSON.stringify([bucketMs, group]);
    const row = rows.get(name) ?? { bucketMs, group, figures: emptyFigures() };
    rows.set(name, row);
    if (rows.size > options.resultsMax) throw tooMuch();
    addFigures(row.figures, isByStatus ? figures : counted);
  }
  // The sums of many accounts may be more than one of them can be credited in its life.
  if (totals.spendNano > NANO_MAX) throw tooMuch();
  return {
    rows: [...rows.values()].sort(chosen === undefined ? byTime : byFailures),
    totals,
    asOfMs,
  };
}

interface Grouped {
  readonly atMs: number;
  /** Empty in the dimensions that a denial has no value of, so that rows add up to the totals. */
  readonly group: UsageRow['group'];
  readonly figures: Readonly<Figures>;
  /** Of requests that failed. */
  readonly isFailed: boolean;
}

/** What is stored and denied within the filter, as it comes. */
async function* readGrouped(
  { figureStore, denialStore }: QueryUsageOptions,
  { groupBy }: UsageQuery,
  filter: FigureFilter,
  countRead: ReadBound,
): AsyncGenerator<Grouped> {
  const groupOf = (values: Readonly<Record<GroupDimension, string>>) =>
    groupBy.map((dimension) => ({ dimension, value: values[dimension] }));
  const isByChannel = groupBy.includes('channel');
  for await (const { dimensions, startMs, figures } of figureStore.read(filter)) {
    countRead();
    const { model, keyId: key, userId: user, status, channelId: channel } = dimensions;
    const { accountId: account } = dimensions;
    const group = groupOf({ model, key, user, status, channel, account });
    const isFailed = status === 'failed';
    yield { atMs: startMs, group, figures: isByChannel ? ownTimesOf(figures) : figures, isFailed };
  }
  for await (const denied of denialStore.read(filter)) {
    countRead();
    const { accountId: account, atMs, count, keyId: key, kind } = denied;
    const isUnserved = kind === 'unserved';
    const status = isUnserved ? 'failed' : kind;
    const group = groupOf({ ...NO_DIMENSIONS, status, key, account });
    const sums = isUnserved ? { requests: count, failed: count } : { rateLimited: count };
    yield { atMs, group, figures: { ...emptyFigures(), ...sums }, isFailed: isUnserved };
  }
}

/**
 * The groups that a first reading finds worst. What is in memory grows with the groups that failed:
 * the figures of all would be some kilobytes for each account that there is.
 */
async function findWorst(
  read: AsyncIterable<Grouped>,
  worst: number,
): Promise<ReadonlySet<string>> {
  const failures = new Map<string, number>();
  for await (const { group, figures } of read) {
    const count = unansweredIn(figures);
    if (count === 0) continue;
    const name = JSON.stringify(group);
    failures.set(name, (failures.get(name) ?? 0) + count);
  }
  const ranked = [...failures].sort(([a, left], [b, right]) => right - left || a.localeCompare(b));
  return new Set(ranked.slice(0, worst).map(([name]) => name));
}

function byFailures(a: UsageRow, b: UsageRow): number {
  return unansweredIn(b.figures) - unansweredIn(a.figures) || byTime(a, b);
}

/** Undefined where more than one is asked of. */
function onlyAccountOf({ accountIds }: UsageQuery): string | undefined {
  return accountIds.length === 1 ? accountIds[0] : undefined;
}

function filterOf(query: UsageQuery): FigureFilter {
  const { accountIds, startMs, endMs, models, keyIds } = query;
  return { accountIds, granularity: granularityOf(query.interval), startMs, endMs, models, keyIds };
}

/** Told of each document that was read; throws when it is too much. */
type ReadBound = () => void;

/** How long an answer for more than one account may be read, milliseconds. */
const READ_MS_MAX = 60_000;

/** The part of its caller's time that is read for a query of one account. */
const READ_PART = 0.5;

/** Of many accounts nobody can say how many documents they should be: the time is the bound. */
function createTimeBound(clock: Clock, readMsMax: number): ReadBound {
  const endsMonotonicMs = clock.monotonicMs() + readMsMax;
  return () => {
    if (clock.monotonicMs() > endsMonotonicMs) throw tooMuch();
  };
}

/** Of one account also the number is bounded; nothing is read when nobody waits for it. */
function createOwnBound(
  { documentsMax, clock }: QueryUsageOptions,
  { deadlineMs, signal }: WaitingCall,
): ReadBound {
  const checkTime = createTimeBound(clock, deadlineMs * READ_PART);
  let documents = 0;
  return () => {
    documents += 1;
    if (signal.aborted) {
      const internalMessage = 'nobody waits for the figures';
      throw new AppError('SERVICE_UNAVAILABLE', { internalMessage });
    }
    if (documents > documentsMax) throw tooMuch();
    checkTime();
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
  { retentionMs, keptSinceAtMs, clock }: QueryUsageOptions,
  granularity: 'minute' | 'hour',
  startMs: number,
): void {
  const kept = `Figures by ${granularity} are kept for ${Math.round(retentionMs[granularity] / DAY_MS)} days`;
  if (startMs < clock.now() - retentionMs[granularity]) throw invalid('start', `${kept}.`);
  const sinceMs = keptSinceAtMs(granularity);
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
  if (onlyAccountOf(query) === undefined && !query.operator) throw new AppError('FORBIDDEN');
}
