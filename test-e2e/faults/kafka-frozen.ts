import { setTimeout as delay } from 'node:timers/promises';
import type { LoadedAccount } from './accounts';
import type { Attempt } from './attempt';
import { readAudit } from './books';
import type { Violation } from './evidence';
import type { FaultSystem } from './fault-system';
import { countOutbox, readJournals, readLedgerRequestIds } from './read-store';
import { formatFigures } from './report';
import { isComplete, type SteadyLoad, startSteadyLoad } from './steady-load';

/** How long each part lasts, in milliseconds, and how much load there is. */
export interface FreezeOptions {
  readonly connections: number;
  readonly beforeMs: number;
  readonly frozenMs: number;
  /** Load goes on for so long once Kafka answers again. */
  readonly afterMs: number;
  /** From Kafka's return until everything must be in the ledger. */
  readonly settledAfterMs: number;
  /** How often a request that was turned away is asked again; never when absent. */
  readonly retriesMax?: number;
  report(line: string): void;
}

/** What came of it. */
export interface FreezeResult {
  readonly attempts: readonly Attempt[];
  /** Complete answers a second in each part. */
  readonly perSecond: Readonly<Record<Part, number>>;
  /** The longest that a complete answer took in each part. */
  readonly slowestMs: Readonly<Record<Part, number>>;
  readonly refused: number;
  /** Answered, and not in the ledger when it had to be. */
  readonly missing: number;
  readonly journalMax: number;
  /** The longest journal while Kafka was frozen. */
  readonly journalMaxFrozen: number;
  readonly backlog: Backlog;
  readonly violations: readonly Violation[];
}

/** What lay in the outbox when Kafka came back, and how soon the one leader had told it. */
interface Backlog {
  readonly batches: number;
  readonly toldAfterMs: number | undefined;
}

const PARTS = ['before', 'frozen', 'after'] as const;
type Part = (typeof PARTS)[number];

const WARM_UP_MS = 5_000;
const PROGRESS_MS = 5_000;
/** What a journal may still hold in the end, when its account rests. */
const JOURNAL_MAX = 10;
/** Of the answers a second before, how many there must be with Kafka frozen. */
const SHARE_MIN = 0.8;
const WORDS = 20;
const STREAM_EVERY = 4;

/** Freezes Kafka under steady load; whatever it does, no client may notice. */
export async function runKafkaFrozen(
  system: FaultSystem,
  accounts: readonly LoadedAccount[],
  options: FreezeOptions,
): Promise<FreezeResult> {
  const { beforeMs, frozenMs, afterMs, settledAfterMs } = options;
  const load = startSteadyLoad(system, accounts, {
    connections: options.connections,
    ...(options.retriesMax === undefined ? {} : { retriesMax: options.retriesMax }),
    tagPrefix: 'frozen/',
    shapeOf: (number) => ({ stream: number % STREAM_EVERY === 0, words: WORDS, wordIntervalMs: 0 }),
  });
  const journals = watchJournals(system, load.attempts, options);
  const times: Record<string, number> = {};
  await delay(WARM_UP_MS);
  times.begin = system.elapsedMs();
  await journals.during('before', beforeMs);
  times.frozen = system.elapsedMs();
  const freeze = system.apply({ kind: 'freeze', target: 'kafka', afterMs: 0, awayMs: frozenMs });
  await journals.during('kafka frozen', frozenMs);
  await freeze;
  times.back = system.elapsedMs();
  const telling = watchBacklog(system, settledAfterMs, options.connections);
  await journals.during('kafka back', afterMs);
  times.end = system.elapsedMs();
  await load.stop();
  const settledMs = system.elapsedMs() + settledAfterMs - afterMs;
  do await journals.during('no load', PROGRESS_MS);
  while (system.elapsedMs() < settledMs && !(await isSettled(system, load.attempts)));
  const { begin = 0, frozen = 0, back = 0, end = 0 } = times;
  const windows = { before: [begin, frozen], frozen: [frozen, back], after: [back, end] } as const;
  const result = await judge(system, load, {
    windows,
    journalMaxFrozen: journals.longest(),
  });
  return { ...result, backlog: await telling };
}

const BACKLOG_LOOK_MS = 250;

/** Load goes on meanwhile: there is always something of the requests that are running. */
async function watchBacklog(
  system: FaultSystem,
  withinMs: number,
  alwaysThere: number,
): Promise<Backlog> {
  const fromMs = system.elapsedMs();
  const batches = await countOutbox(system);
  while (system.elapsedMs() - fromMs < withinMs) {
    if ((await countOutbox(system)) <= alwaysThere) {
      return { batches, toldAfterMs: Math.round(system.elapsedMs() - fromMs) };
    }
    await delay(BACKLOG_LOOK_MS);
  }
  return { batches, toldAfterMs: undefined };
}

/** Reports what happens while time passes, and remembers the longest journal. */
function watchJournals(
  system: FaultSystem,
  attempts: readonly Attempt[],
  { report }: FreezeOptions,
) {
  let longest = 0;
  return {
    longest: () => longest,
    async during(state: string, durationMs: number): Promise<void> {
      const endMs = system.elapsedMs() + durationMs;
      while (system.elapsedMs() < endMs) {
        const fromMs = system.elapsedMs();
        const seen = attempts.length;
        await delay(Math.min(PROGRESS_MS, endMs - fromMs));
        const journal = await readJournals(system);
        longest = Math.max(longest, journal.longest);
        const made = attempts.slice(seen);
        const perSecond = Math.round((made.length * 1000) / (system.elapsedMs() - fromMs));
        const refused = made.filter((one) => !isComplete(one)).length;
        const time = `${Math.round(system.elapsedMs() / 1000)} s`;
        report(
          `${time}: ${state}, ${perSecond} answers/s, ${refused} refused, ` +
            `longest journal ${journal.longest}, ${journal.items} waiting in all`,
        );
      }
    },
  };
}

/** Every answer is in the ledger, and accounts that rest are trimmed. */
async function isSettled(system: FaultSystem, attempts: readonly Attempt[]): Promise<boolean> {
  const { longest } = await readJournals(system);
  return longest <= JOURNAL_MAX && (await countMissing(system, attempts)) === 0;
}

/** Complete answers that are not in the ledger, or not yet. */
async function countMissing(system: FaultSystem, attempts: readonly Attempt[]): Promise<number> {
  const inLedger = await readLedgerRequestIds(system);
  return attempts.filter((made) => isComplete(made) && !inLedger.has(made.requestId ?? '')).length;
}

async function judge(
  system: FaultSystem,
  { attempts, requests }: SteadyLoad,
  seen: {
    readonly windows: Readonly<Record<Part, readonly [number, number]>>;
    readonly journalMaxFrozen: number;
  },
): Promise<Omit<FreezeResult, 'backlog'>> {
  const { windows, journalMaxFrozen } = seen;
  const missing = await countMissing(system, attempts);
  const journal = await readJournals(system);
  const refusals = requests.flatMap((made) => made.slice(-1)).filter((one) => !isComplete(one));
  const complete = (part: Part) => {
    const [fromMs, untilMs] = windows[part];
    return attempts.filter(
      (made) => isComplete(made) && made.untilMs >= fromMs && made.untilMs < untilMs,
    );
  };
  const perSecond = mapParts((part) => {
    const [fromMs, untilMs] = windows[part];
    return Math.round((complete(part).length * 1000) / Math.max(1, untilMs - fromMs));
  });
  const slowestMs = mapParts((part) =>
    Math.round(
      complete(part).reduce((slowest, made) => Math.max(slowest, made.untilMs - made.fromMs), 0),
    ),
  );
  const violations: Violation[] = refusals.map(({ tag, status, errorCode, hung, fromMs }) => ({
    kind: 'refused',
    text: `${tag} at ${Math.round(fromMs)} ms: ${hung ? 'hung' : (status ?? 'no answer')} ${errorCode ?? ''}`,
  }));
  if (perSecond.frozen < perSecond.before * SHARE_MIN) {
    const text = `${perSecond.frozen}/s with Kafka frozen, ${perSecond.before}/s before`;
    violations.push({ kind: 'slow', text });
  }
  for (const { name, code } of system.crashes()) {
    violations.push({ kind: 'crash', text: `${name} ended by itself with ${code}` });
  }
  const audit = await readAudit(system);
  if (!audit.ok) violations.push({ kind: 'drift', text: JSON.stringify(audit.findings) });
  if (missing > 0) violations.push({ kind: 'lost', text: `${missing} answers not in the ledger` });
  if (journal.longest > JOURNAL_MAX) {
    violations.push({ kind: 'unsettled', text: `a journal of ${journal.longest}` });
  }
  return {
    attempts,
    perSecond,
    slowestMs,
    refused: refusals.length,
    missing,
    journalMax: journal.longest,
    journalMaxFrozen,
    violations,
  };
}

function mapParts(partValue: (part: Part) => number): Readonly<Record<Part, number>> {
  return { before: partValue('before'), frozen: partValue('frozen'), after: partValue('after') };
}

/** What was measured. */
export function formatFreeze(result: FreezeResult): string {
  const { perSecond, slowestMs, attempts } = result;
  return formatFigures([
    ['requests', attempts.length],
    ...PARTS.map((part) => [`answers a second, ${part}`, perSecond[part]] as const),
    ...PARTS.map((part) => [`slowest answer, ${part}, ms`, slowestMs[part]] as const),
    ['refused', result.refused],
    ['longest journal while frozen', result.journalMaxFrozen],
    ['longest journal in the end', result.journalMax],
    ['answered and not in the ledger', result.missing],
    ['batches in the outbox when Kafka came back', result.backlog.batches],
    ['all told to Kafka after, ms', result.backlog.toldAfterMs ?? 'not at all'],
  ]);
}
