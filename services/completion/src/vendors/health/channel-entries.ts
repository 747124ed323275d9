import type { RouteChannel } from '../../routing/candidate';
import { Breaker, type BreakerBounds } from './breaker';

/** What this process knows of a channel. */
export interface ChannelEntry {
  concurrencyMax: number;
  inFlight: number;
  firstTokenMs: number | undefined;
  served: ReadonlySet<string>;
  /** By model; only those that were called. */
  readonly models: Map<string, ModelEntry>;
}

/** What it knows of a model there. */
export interface ModelEntry {
  readonly breaker: Breaker;
  readonly firstToken: DecayingMean;
  readonly msPerToken: DecayingMean;
  /** The newest first tokens, milliseconds, the oldest first. */
  readonly firstTokens: number[];
  calledMs: number;
  hasSucceeded: boolean;
  /** Calls in a row for answers in one piece that timed out, which cost their clients the answer. */
  lostAnswers: number;
  /** Calls that succeeded or failed, and the share that succeeded. */
  calls: number;
  readonly succeeded: DecayingMean;
  /** Streams that wait for their first token. */
  waiting: number;
  readonly waitingByAccount: Map<string, number>;
  /** The later of two times: a stream got its first token; one began to wait while no other did. */
  heardMs: number;
}

/** Weight of the newest measurement in the running mean of a channel. */
const NEWEST_SHARE = 0.2;
/** How many waits for a first token are remembered, and from how many on one can be called late. */
const FIRST_TOKENS_MAX = 100;
const FIRST_TOKENS_MIN = 20;

/** Models are known from their first call, and the least recently called goes at the bound. */
export function createModelEntries(bounds: BreakerBounds & { readonly breakersMax: number }) {
  const byAge = new Map<ModelEntry, () => void>();
  return {
    of(entry: ChannelEntry, name: string, monotonicNowMs: number): ModelEntry {
      const model = entry.models.get(name) ?? {
        breaker: new Breaker(bounds),
        firstToken: new DecayingMean(),
        msPerToken: new DecayingMean(),
        firstTokens: [],
        succeeded: new DecayingMean(),
        calls: 0,
        waiting: 0,
        waitingByAccount: new Map(),
        heardMs: monotonicNowMs,
        calledMs: monotonicNowMs,
        hasSucceeded: false,
        lostAnswers: 0,
      };
      entry.models.set(name, model);
      byAge.delete(model);
      byAge.set(model, () => entry.models.delete(name));
      for (const [oldest, drop] of byAge) {
        if (byAge.size <= bounds.breakersMax) break;
        byAge.delete(oldest);
        drop();
      }
      return model;
    },
    forget: (model: ModelEntry): void => void byAge.delete(model),
  };
}

/** Counts a call that runs there, until what it returns is called. */
export function enterChannel(entry: ChannelEntry): () => void {
  entry.inFlight += 1;
  let left = false;
  return () => {
    if (!left) entry.inFlight -= 1;
    left = true;
  };
}

export function noteVerdict(model: ModelEntry, succeeded: boolean, monotonicNowMs: number): void {
  model.hasSucceeded = succeeded;
  model.calls += 1;
  model.succeeded.add(succeeded ? 1 : 0, monotonicNowMs);
}

/** The time in which 95 of 100 first tokens came. */
export function lateFirstTokenMsOf(firstTokens: readonly number[] = []): number | undefined {
  if (firstTokens.length < FIRST_TOKENS_MIN) return undefined;
  return [...firstTokens].sort((a, b) => a - b)[Math.ceil(firstTokens.length * 0.95) - 1];
}

/** A stream waits for its first token, until it is said to be over and whether one came. */
export function beginWaiting(
  model: ModelEntry,
  accountId: string,
  monotonicMs: () => number,
): (came: boolean) => void {
  if (model.waiting === 0) model.heardMs = monotonicMs();
  const { waitingByAccount: byAccount } = model;
  model.waiting += 1;
  byAccount.set(accountId, (byAccount.get(accountId) ?? 0) + 1);
  let over = false;
  return (came) => {
    if (over) return;
    over = true;
    model.waiting -= 1;
    const left = (byAccount.get(accountId) ?? 1) - 1;
    if (left > 0) byAccount.set(accountId, left);
    else byAccount.delete(accountId);
    if (came) model.heardMs = monotonicMs();
  };
}

export function noteFirstToken(
  entry: ChannelEntry,
  model: ModelEntry | undefined,
  firstTokenMs: number,
  monotonicNowMs: number,
): void {
  const before = entry.firstTokenMs ?? firstTokenMs;
  entry.firstTokenMs = before + (firstTokenMs - before) * NEWEST_SHARE;
  if (model === undefined) return;
  model.firstToken.add(firstTokenMs, monotonicNowMs);
  model.firstTokens.push(firstTokenMs);
  if (model.firstTokens.length > FIRST_TOKENS_MAX) model.firstTokens.shift();
}

export function followChannels(
  entries: Map<string, ChannelEntry>,
  channels: readonly RouteChannel[],
  forget: (model: ModelEntry) => void,
): void {
  const present = new Map(channels.map((channel) => [channel.id, channel]));
  for (const [channelId, entry] of entries) {
    const names = new Set(present.get(channelId)?.models.map(({ name }) => name));
    for (const [name, model] of entry.models) {
      if (names.has(name)) continue;
      entry.models.delete(name);
      forget(model);
    }
    if (!present.has(channelId)) entries.delete(channelId);
  }
  for (const { id, concurrencyMax, models } of channels) {
    const served = new Set(models.map(({ name }) => name));
    const entry = entries.get(id);
    if (entry !== undefined) Object.assign(entry, { concurrencyMax, served });
    else {
      const state = { inFlight: 0, firstTokenMs: undefined, models: new Map() };
      entries.set(id, { concurrencyMax, served, ...state });
    }
  }
}

/** A measurement's weight halves in this time, so that a vendor's past is forgotten. */
const HALF_LIFE_MS = 60_000;

/** A mean of measurements of which the newer weigh more. */
class DecayingMean {
  #sum = 0;
  #weight = 0;
  #addedMs = 0;

  /** Undefined before the first measurement. */
  get value(): number | undefined {
    return this.#weight === 0 ? undefined : this.#sum / this.#weight;
  }

  /** Since the newest measurement; undefined before the first. */
  ageMsAt(monotonicNowMs: number): number | undefined {
    return this.#weight === 0 ? undefined : monotonicNowMs - this.#addedMs;
  }

  add(measured: number, monotonicNowMs: number): void {
    const kept = 0.5 ** ((monotonicNowMs - this.#addedMs) / HALF_LIFE_MS);
    this.#sum = this.#sum * kept + measured;
    this.#weight = this.#weight * kept + 1;
    this.#addedMs = monotonicNowMs;
  }
}
