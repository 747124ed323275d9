import CircuitBreaker from 'opossum';
import type { ChannelViews } from '../domain/choose-route';
import type { ChannelOutcome } from '../domain/ports';
import type { Offer, RouteChannel } from '../domain/route-table';
import { VendorFailure, type VendorOutcome } from '../domain/vendor';
import { notSent } from '../domain/vendor-failures';

/** When a channel is left alone. */
export interface BreakerLimits {
  /** Share of failed calls in ten seconds that opens the breaker, percent. */
  readonly failurePercent: number;
  /** Calls in ten seconds before the share counts. */
  readonly callsMin: number;
  /** How long it stays open before one call may try. */
  readonly openMs: number;
}

/** What this process knows about its channels: breakers, calls in flight, measured latency. */
export interface ChannelMonitor {
  readonly views: ChannelViews;
  /** Runs the beginning of a call, up to its answer's head, under the channel's breaker. */
  guard(channelId: string, begin: () => Promise<void>): Promise<void>;
  /** Counts a call while it runs; the returned function ends it, once. */
  enter(channelId: string): () => void;
  report(offer: Offer, outcome: VendorOutcome, latencyMs: number, firstTokenMs?: number): void;
  /** What was counted since the last call. */
  takeOutcomes(): readonly ChannelOutcome[];
  setChannels(channels: readonly RouteChannel[]): void;
  shutdown(): void;
}

interface ChannelEntry {
  readonly breaker: CircuitBreaker<[() => Promise<void>], void>;
  concurrencyMax: number;
  inFlight: number;
  firstTokenMs: number | undefined;
}

const WINDOW_MS = 10_000;
const WINDOW_BUCKETS = 10;
/** Weight of the newest measurement in the running mean. */
const NEWEST_SHARE = 0.2;
const UNKNOWN = { available: false, firstTokenMs: undefined };

// What the vendor cannot be blamed for must not open its breaker.
const BLAMELESS: ReadonlySet<VendorOutcome> = new Set(['request_refused', 'aborted', 'not_sent']);

function isBlameless(error: unknown): boolean {
  return error instanceof VendorFailure && BLAMELESS.has(error.outcome);
}

/** Starts without channels. */
export function createChannelMonitor(limits: BreakerLimits): ChannelMonitor {
  const entries = new Map<string, ChannelEntry>();
  const outcomes = new Map<string, ChannelOutcome>();
  const entryOf = (channelId: string): ChannelEntry => {
    const entry = entries.get(channelId);
    if (entry === undefined) throw notSent('the channel is gone');
    return entry;
  };
  return {
    views(channelId) {
      const entry = entries.get(channelId);
      if (entry === undefined) return UNKNOWN;
      const { breaker, concurrencyMax, inFlight, firstTokenMs } = entry;
      const room = concurrencyMax === 0 || inFlight < concurrencyMax;
      return { available: room && !breaker.opened, firstTokenMs };
    },
    guard: (channelId, begin) => runGuarded(entryOf(channelId), begin),
    enter: (channelId) => enter(entryOf(channelId)),
    report({ channel, model }, kind, latencyMs, firstTokenMs) {
      const entry = entries.get(channel.id);
      if (entry === undefined) return;
      noteFirstToken(entry, firstTokenMs);
      if (kind === 'aborted' || kind === 'not_sent') return;
      const key = `${channel.id} ${model.name} ${kind}`;
      const sum = outcomes.get(key);
      outcomes.set(key, {
        channelId: channel.id,
        model: model.name,
        // A vendor that finds fault with a request works.
        kind: kind === 'request_refused' ? 'success' : kind,
        count: (sum?.count ?? 0) + 1,
        latencyMs: Math.round(latencyMs),
        firstTokenMs: Math.round(firstTokenMs ?? sum?.firstTokenMs ?? 0),
        breaker: breakerState(entry.breaker),
      });
    },
    takeOutcomes() {
      const taken = [...outcomes.values()];
      outcomes.clear();
      return taken;
    },
    setChannels: (channels) => followChannels(entries, channels, limits),
    shutdown() {
      for (const entry of entries.values()) entry.breaker.shutdown();
      entries.clear();
    },
  };
}

async function runGuarded({ breaker }: ChannelEntry, begin: () => Promise<void>): Promise<void> {
  try {
    await breaker.fire(begin);
  } catch (error) {
    if (error instanceof Error && CircuitBreaker.isOurError(error)) {
      throw notSent('the breaker of the channel is open');
    }
    throw error;
  }
}

function enter(entry: ChannelEntry): () => void {
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
  limits: BreakerLimits,
): void {
  const present = new Set(channels.map((channel) => channel.id));
  for (const [channelId, entry] of entries) {
    if (present.has(channelId)) continue;
    entry.breaker.shutdown();
    entries.delete(channelId);
  }
  for (const channel of channels) {
    const entry = entries.get(channel.id) ?? createEntry(limits);
    entry.concurrencyMax = channel.concurrencyMax;
    entries.set(channel.id, entry);
  }
}

function createEntry(limits: BreakerLimits): ChannelEntry {
  const breaker = new CircuitBreaker((begin: () => Promise<void>) => begin(), {
    // Time limits belong to the calls themselves.
    timeout: false,
    errorThresholdPercentage: limits.failurePercent,
    volumeThreshold: limits.callsMin,
    resetTimeout: limits.openMs,
    rollingCountTimeout: WINDOW_MS,
    rollingCountBuckets: WINDOW_BUCKETS,
    rollingPercentilesEnabled: false,
    errorFilter: isBlameless,
  });
  return { breaker, concurrencyMax: 0, inFlight: 0, firstTokenMs: undefined };
}

function breakerState(breaker: ChannelEntry['breaker']): ChannelOutcome['breaker'] {
  if (breaker.opened) return 'open';
  return breaker.halfOpen ? 'half_open' : 'closed';
}
