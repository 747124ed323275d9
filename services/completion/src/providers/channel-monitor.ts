import type { Clock } from '@tollgate/core';
import type { VendorOutcome } from '../domain/vendor';
import { notSent } from '../domain/vendor-failures';
import type { ChannelOutcome, HealthLookup, Obstacle } from '../routing/health';
import type { Candidate, RouteChannel } from '../routing/route-table';
import { Breaker, type BreakerLimits, type Verdict } from './breaker';

/** How many breakers there may be, and when each opens. */
export interface MonitorLimits extends BreakerLimits {
  /** Models of channels that are remembered; the one that was called longest ago is forgotten. */
  readonly breakersMax: number;
}

/** How a call went. */
export interface CallReport {
  readonly outcome: VendorOutcome;
  readonly latencyMs: number;
  readonly firstTokenMs?: number | undefined;
  /** How long the vendor asked to be left alone; only of a call that it limited. */
  readonly cooldownMs?: number | undefined;
}

/** A call that was let through. */
export interface CallPermit {
  /** Says once how it went: a success is a whole answer or the first event of a stream. */
  settle(report: CallReport): void;
  /** The exchange is over: it makes room. Harmless after the first time. */
  leave(): void;
}

/** What this process knows about its channels: breakers, calls in flight, measured latency. */
export interface ChannelMonitor {
  readonly views: HealthLookup;
  /** Throws a VendorFailure when the call should not be made. */
  enter(candidate: Candidate): CallPermit;
  /** Notes what happened after a call was settled, for routing's statistics. */
  note(candidate: Candidate, report: CallReport): void;
  /** What was counted since the last call. */
  takeOutcomes(): readonly ChannelOutcome[];
  setChannels(channels: readonly RouteChannel[]): void;
}

interface ChannelEntry {
  concurrencyMax: number;
  inFlight: number;
  firstTokenMs: number | undefined;
  /** By model; only those that were called. */
  readonly breakers: Map<string, Breaker>;
}

/** Weight of the newest measurement in the running mean. */
const NEWEST_SHARE = 0.2;
const BUSY_RETRY_MS = 1000;
const GONE = { obstacle: { kind: 'gone', retryAfterMs: BUSY_RETRY_MS } } as const;

/** What an outcome says about the vendor. */
const VERDICTS: Readonly<Record<VendorOutcome, Verdict>> = {
  success: 'worked',
  failure: 'failed',
  timeout: 'failed',
  credential_refused: 'failed',
  rate_limited: 'unknown',
  request_refused: 'unknown',
  aborted: 'unknown',
  not_sent: 'unknown',
};

/** Starts without channels. One model that fails leaves the channel's others alone. */
export function createChannelMonitor(limits: MonitorLimits, clock: Clock): ChannelMonitor {
  const entries = new Map<string, ChannelEntry>();
  const outcomes = createOutcomeSums();
  const breakers = createBreakers(limits);
  const nowMs = () => clock.monotonicMs();

  const note = (candidate: Candidate, report: CallReport): void => {
    const entry = entries.get(candidate.channel.id);
    if (entry === undefined) return;
    noteFirstToken(entry, report.firstTokenMs);
    const breaker = entry.breakers.get(candidate.model.name);
    outcomes.add(candidate, report, {
      breaker: breaker?.stateAt(nowMs()) ?? 'closed',
      cooldownMs: Math.round(breaker?.cooldownMsAt(nowMs()) ?? 0),
    });
  };

  return {
    views({ channel, model }) {
      const entry = entries.get(channel.id);
      if (entry === undefined) return { ...GONE, firstTokenMs: undefined };
      const { firstTokenMs } = entry;
      return { obstacle: obstacleOf(entry, model.name, nowMs()), firstTokenMs };
    },
    enter(candidate) {
      const entry = entries.get(candidate.channel.id);
      if (entry === undefined) throw notSent('the channel is gone');
      const breaker = breakers.of(entry, candidate.model.name);
      const passage = breaker.pass(nowMs);
      if (passage === undefined) throw notSent('the breaker of the model at the channel is open');
      const leave = enterChannel(entry);
      return {
        leave,
        settle(report) {
          if (report.cooldownMs !== undefined) breaker.coolDown(report.cooldownMs, nowMs());
          passage.settle(VERDICTS[report.outcome]);
          note(candidate, report);
        },
      };
    },
    note,
    takeOutcomes: outcomes.take,
    setChannels: (channels) => followChannels(entries, channels, breakers.forget),
  };
}

function obstacleOf(entry: ChannelEntry, model: string, nowMs: number): Obstacle | undefined {
  const { concurrencyMax, inFlight } = entry;
  const breaker = entry.breakers.get(model);
  const cooldownMs = breaker?.cooldownMsAt(nowMs) ?? 0;
  if (cooldownMs > 0) return { kind: 'cooling_down', retryAfterMs: cooldownMs };
  const waitMs = breaker?.waitMsAt(nowMs) ?? 0;
  if (waitMs > 0) return { kind: 'failing', retryAfterMs: waitMs };
  if (concurrencyMax === 0 || inFlight < concurrencyMax) return undefined;
  return { kind: 'busy', retryAfterMs: BUSY_RETRY_MS };
}

/** Breakers come with the first call, and the least recently called one goes at the bound. */
function createBreakers(limits: MonitorLimits) {
  const byAge = new Map<Breaker, () => void>();
  return {
    of(entry: ChannelEntry, model: string): Breaker {
      const breaker = entry.breakers.get(model) ?? new Breaker(limits);
      entry.breakers.set(model, breaker);
      byAge.delete(breaker);
      byAge.set(breaker, () => entry.breakers.delete(model));
      for (const [oldest, drop] of byAge) {
        if (byAge.size <= limits.breakersMax) break;
        byAge.delete(oldest);
        drop();
      }
      return breaker;
    },
    forget: (breaker: Breaker): void => void byAge.delete(breaker),
  };
}

/** Sums what happened until routing is told. */
function createOutcomeSums() {
  let sums = new Map<string, ChannelOutcome>();
  return {
    add(
      { channel, model }: Candidate,
      { outcome: kind, latencyMs, firstTokenMs }: CallReport,
      state: Pick<ChannelOutcome, 'breaker' | 'cooldownMs'>,
    ): void {
      if (kind === 'aborted' || kind === 'not_sent') return;
      const key = `${channel.id} ${model.name} ${kind}`;
      const sum = sums.get(key);
      sums.set(key, {
        ...state,
        channelId: channel.id,
        model: model.name,
        // A vendor that finds fault with a request works.
        kind: kind === 'request_refused' ? 'success' : kind,
        count: (sum?.count ?? 0) + 1,
        latencyMs: Math.round(latencyMs),
        firstTokenMs: Math.round(firstTokenMs ?? sum?.firstTokenMs ?? 0),
      });
    },
    take(): readonly ChannelOutcome[] {
      const taken = [...sums.values()];
      sums = new Map();
      return taken;
    },
  };
}

function enterChannel(entry: ChannelEntry): () => void {
  entry.inFlight += 1;
  let left = false;
  return () => {
    if (!left) entry.inFlight -= 1;
    left = true;
  };
}

function noteFirstToken(entry: ChannelEntry, firstTokenMs: number | undefined): void {
  if (firstTokenMs === undefined) return;
  const before = entry.firstTokenMs ?? firstTokenMs;
  entry.firstTokenMs = before + (firstTokenMs - before) * NEWEST_SHARE;
}

function followChannels(
  entries: Map<string, ChannelEntry>,
  channels: readonly RouteChannel[],
  forget: (breaker: Breaker) => void,
): void {
  const present = new Map(channels.map((channel) => [channel.id, channel]));
  for (const [channelId, entry] of entries) {
    const models = new Set(present.get(channelId)?.models.map(({ name }) => name));
    for (const [model, breaker] of entry.breakers) {
      if (models.has(model)) continue;
      entry.breakers.delete(model);
      forget(breaker);
    }
    if (!present.has(channelId)) entries.delete(channelId);
  }
  for (const { id, concurrencyMax } of channels) {
    const entry = entries.get(id);
    if (entry === undefined) {
      entries.set(id, {
        concurrencyMax,
        inFlight: 0,
        firstTokenMs: undefined,
        breakers: new Map(),
      });
    } else entry.concurrencyMax = concurrencyMax;
  }
}
