import type { ChannelEntry, ModelEntry } from './channel-entries';

/** A stream is silent when its first event takes so many times as long as usual. */
const SILENCE_FACTOR = 5;
const SILENCE_MS_MIN = 2_000;
/** Percent of its calls that are suspicions, from which on a channel may be an outlier. */
const OUTLIER_PERCENT = 20;
/** The same where there were too few calls for a percentage: so many suspicions in a row. */
const OUTLIER_IN_ROW = 5;
const OUTLIER_FACTOR = 2;
/** So many streams must wait, and none have got a first token for so many times the usual wait. */
const UNHEARD_STREAMS_MIN = 5;
const UNHEARD_FACTOR = 2;
const UNHEARD_MS_MIN = 500;

/** When a stream of the model counts as silent; undefined while nothing is known of any. */
export function silentStreamMsOf(
  entries: ReadonlyMap<string, ChannelEntry>,
  entry: ChannelEntry,
  model: string,
): number | undefined {
  const usualMs = usualFirstTokenMs(entries, entry, model);
  return usualMs === undefined ? undefined : Math.max(SILENCE_MS_MIN, SILENCE_FACTOR * usualMs);
}

/** Measured there, otherwise at the slowest other channel; undefined before anything was. */
function usualFirstTokenMs(
  entries: ReadonlyMap<string, ChannelEntry>,
  entry: ChannelEntry,
  model: string,
): number | undefined {
  let usualMs = entry.models.get(model)?.firstToken.value;
  if (usualMs !== undefined) return usualMs;
  for (const other of entries.values()) {
    const measuredMs = other.models.get(model)?.firstToken.value;
    if (measuredMs !== undefined) usualMs = Math.max(usualMs ?? 0, measuredMs);
  }
  return usualMs;
}

/**
 * True while several streams of the model wait there and none got its first token for longer than
 * is usual. While it lasts others are asked first, so that no further stream waits; the next token
 * here ends it.
 */
export function isUnheard(
  entries: ReadonlyMap<string, ChannelEntry>,
  entry: ChannelEntry,
  name: string,
  asker: { readonly accountId: string | undefined; readonly monotonicNowMs: number },
): boolean {
  const { accountId, monotonicNowMs } = asker;
  const model = entry.models.get(name);
  if (model === undefined || model.waiting < UNHEARD_STREAMS_MIN) return false;
  if (waitingFor(model, accountId) < UNHEARD_STREAMS_MIN) return false;
  const usualMs = usualFirstTokenMs(entries, entry, name);
  if (usualMs === undefined) return false;
  return monotonicNowMs - model.heardMs >= Math.max(UNHEARD_MS_MIN, UNHEARD_FACTOR * usualMs);
}

/**
 * Streams that wait, as they look to the account: those of another one, which may suffer from its own
 * requests alone, weigh at most as much as those of all others together.
 */
function waitingFor(model: ModelEntry, accountId = ''): number {
  let [whose, most] = ['', 0];
  for (const [account, count] of model.waitingByAccount) {
    if (count > most) [whose, most] = [account, count];
  }
  const others = model.waiting - most;
  return whose === accountId ? model.waiting : others + Math.min(most, others);
}

/**
 * Demotes the model at this channel when it does much worse than at others. At most half of a
 * model's channels, rounded up, are left alone so, and never the last: what all of them suffer from
 * is no fault of one.
 */
export function demoteOutlier(
  entries: ReadonlyMap<string, ChannelEntry>,
  entry: ChannelEntry,
  model: string,
  callsMin: number,
  monotonicNowMs: number,
): void {
  const breaker = entry.models.get(model)?.breaker;
  if (breaker === undefined) return;
  const own = breaker.weighedAt(monotonicNowMs, 'suspicions');
  // What one account alone suffers from, while calls of others succeed, is no fault of the channel.
  if (own.bad === 0 || own.bad * 100 < own.calls * OUTLIER_PERCENT) return;
  if (own.calls < callsMin && breaker.tallyAt(monotonicNowMs).inRow < OUTLIER_IN_ROW) return;
  let [serving, open, calls, suspicions] = [0, 0, 0, 0];
  for (const other of entries.values()) {
    if (!other.served.has(model)) continue;
    serving += 1;
    const otherBreaker = other.models.get(model)?.breaker;
    if (otherBreaker === undefined || otherBreaker === breaker) continue;
    if (otherBreaker.stateAt(monotonicNowMs) !== 'closed') {
      open += 1;
      continue;
    }
    const tally = otherBreaker.tallyAt(monotonicNowMs);
    calls += tally.calls;
    suspicions += tally.suspicions;
  }
  const demotedMax = Math.min(Math.ceil(serving / 2), serving - 1);
  const isWorse = own.bad * calls >= OUTLIER_FACTOR * suspicions * own.calls;
  if (open < demotedMax && isWorse) breaker.demote(monotonicNowMs);
}
