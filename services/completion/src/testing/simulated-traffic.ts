import { AppError, delay, seededRandom, type Timer, ZERO_NANO } from '@tollgate/core';
import { type FakeClock, settlePromises } from '@tollgate/testkit';
import {
  type VendorCall,
  VendorFailure,
  type VendorPort,
  type VendorStream,
} from '../domain/vendor';
import { aborted } from '../domain/vendor-failures';
import type { AttemptBounds } from '../operations/attempts';
import type { CompletionRequest } from '../operations/request';
import { streamCompletion } from '../operations/stream';
import { createTieBreakers } from '../operations/to-route-query';
import type { RouteChannel } from '../routing/candidate';
import { createRouteTable } from '../routing/route-table';
import {
  type ChannelMonitor,
  createChannelMonitor,
  guarded,
} from '../vendors/health/channel-monitor';
import { createRunFixture, exampleRequest, FINISH_PIECE, textPiece } from './run-fixture';
import { exampleCall } from './vendor-call';

/** What a vendor does with one call. */
export type VendorDeed =
  | { readonly kind: 'answer'; readonly firstTokenMs: number; readonly answerMs: number }
  | { readonly kind: 'fail'; readonly afterMs: number; readonly failure: () => VendorFailure }
  /** Takes the request and says nothing; the first-token time-out ends it. */
  | { readonly kind: 'stall' };

/** One channel, and the vendor behind it. */
export interface SimulatedChannel {
  readonly channel?: Partial<RouteChannel>;
  /** `inFlight` counts the call itself. */
  readonly act: (beganMs: number, inFlight: number) => VendorDeed;
}

/** A call that a vendor got. */
export interface SimulatedCall {
  readonly channelId: string;
  readonly beganMs: number;
  readonly requestId: string;
}

/** How a request went; `code` is undefined for a complete answer. */
export interface SimulatedRequest {
  readonly beganMs: number;
  readonly tookMs: number;
  /** From the request to its first token; undefined when there was none. */
  readonly firstTokenMs: number | undefined;
  readonly code: string | undefined;
}

/** The default of TOLLGATE_COMPLETION_FIRST_TOKEN_TIMEOUT_MS. */
const FIRST_TOKEN_TIMEOUT_MS = 60_000;
const SETTLE_EVERY_MS = 2_000;

/** The defaults of the configuration. */
const MONITOR_BOUNDS = { failurePercent: 50, callsMin: 10, openMs: 5_000, breakersMax: 100 };

/**
 * The real choice, runs, breakers, leases and spool under traffic to vendors that do what a test
 * says. Time is the fake clock's and chance is the seed's: the same seed is the same traffic.
 */
export async function startTraffic(
  clock: FakeClock,
  seed: number,
  simulated: readonly SimulatedChannel[],
  bounds: Partial<AttemptBounds> = {},
) {
  const random = seededRandom(seed);
  const fixture = await createRunFixture(clock, { segmentBytesMax: 1 << 15 });
  const { candidate } = exampleCall();
  const channels = simulated.map(({ channel }, index) => ({
    ...candidate.channel,
    id: `chn_${index + 1}`,
    ...channel,
  }));
  const prices = { prompt: ZERO_NANO, completion: ZERO_NANO, cachedPrompt: ZERO_NANO };
  const table = createRouteTable(channels, [{ ...candidate.model, prices }]);
  const monitor = createChannelMonitor(MONITOR_BOUNDS, clock);
  monitor.setChannels(channels);
  const acts = new Map(channels.map(({ id }, index) => [id, simulated[index]?.act]));
  const calls: SimulatedCall[] = [];
  const requests: SimulatedRequest[] = [];
  const inFlight = new Map<string, number>();
  const vendors = createVendors({ clock, monitor }, calls, inFlight, acts);
  const deps = {
    ...fixture.deps,
    bounds: { ...fixture.deps.bounds, ...bounds },
    vendors,
    random,
    routeTable: () => table,
    tieBreakers: createTieBreakers(random),
  };
  fixture.leases.start();
  let settling: Timer;
  const settle = async () => {
    fixture.spool.forget(await fixture.billing.settleUsage(fixture.spool.takeBatch(10_000)));
    settling = clock.schedule(SETTLE_EVERY_MS, () => void settle());
  };
  await settle();

  const ask = async (changes: Partial<CompletionRequest>): Promise<void> => {
    const beganMs = clock.monotonicMs();
    let code: string | undefined;
    const out = new TestOutput(clock);
    try {
      await streamCompletion(deps, exampleRequest({ deadlineMs: 600_000, ...changes }), out);
      code = out.code;
    } catch (error) {
      code = error instanceof AppError ? error.code : String(error);
    }
    const firstTokenMs =
      out.firstTokenMonotonicMs === undefined ? undefined : out.firstTokenMonotonicMs - beganMs;
    requests.push({ beganMs, tookMs: clock.monotonicMs() - beganMs, firstTokenMs, code });
  };
  return {
    ask,
    calls,
    clock,
    deps,
    inFlight,
    monitor,
    requests,
    /** Sends requests at random moments, so many a second on average, for so long. */
    async send(perSecond: number, durationMs: number, changes: Partial<CompletionRequest> = {}) {
      const untilMs = clock.monotonicMs() + durationMs;
      for (;;) {
        const waitMs = (-Math.log(1 - random()) * 1000) / perSecond;
        if (clock.monotonicMs() + waitMs >= untilMs) break;
        await clock.advance(waitMs);
        // It ends by its own time, and is in `requests` then.
        void ask(changes);
      }
      await clock.advance(untilMs - clock.monotonicMs());
    },
    /** Lets everything that runs come to its end. */
    async finish() {
      await clock.advance(FIRST_TOKEN_TIMEOUT_MS + 10_000);
      await settlePromises();
      settling.cancel();
      fixture.leases.stop();
    },
  };
}

/** Share of the calls between two times that went to a channel. */
export function shareOf(
  calls: readonly SimulatedCall[],
  channelId: string,
  fromMs: number,
  untilMs: number,
): number {
  const within = calls.filter(({ beganMs }) => beganMs >= fromMs && beganMs < untilMs);
  return within.filter((call) => call.channelId === channelId).length / within.length;
}

class TestOutput {
  code: string | undefined;
  firstTokenMonotonicMs: number | undefined;
  readonly #clock: FakeClock;
  constructor(clock: FakeClock) {
    this.#clock = clock;
  }
  head(): void {}
  chunk(): boolean {
    this.firstTokenMonotonicMs ??= this.#clock.monotonicMs();
    return true;
  }
  async drained(): Promise<void> {}
  end(_usage: unknown, _amount: unknown, failure: AppError | undefined): void {
    this.code = failure?.code;
  }
}

function createVendors(
  parts: { readonly clock: FakeClock; readonly monitor: ChannelMonitor },
  calls: SimulatedCall[],
  inFlight: Map<string, number>,
  acts: ReadonlyMap<string, SimulatedChannel['act'] | undefined>,
): VendorPort {
  const { clock, monitor } = parts;
  const open = async (call: VendorCall, signal: AbortSignal, onOver: () => void) => {
    const { requestId } = call;
    const channelId = call.candidate.channel.id;
    const beganMs = clock.monotonicMs();
    calls.push({ channelId, requestId, beganMs });
    const running = (inFlight.get(channelId) ?? 0) + 1;
    inFlight.set(channelId, running);
    const over = () => {
      inFlight.set(channelId, (inFlight.get(channelId) ?? 0) - 1);
      onOver();
    };
    const deed = acts.get(channelId)?.(beganMs, running);
    if (deed?.kind === 'answer') {
      await waited(clock, deed.firstTokenMs, signal, over);
      return streamOf(clock, deed.answerMs, signal, over);
    }
    await waited(
      clock,
      deed?.kind === 'fail' ? deed.afterMs : FIRST_TOKEN_TIMEOUT_MS,
      signal,
      over,
    );
    over();
    if (deed?.kind === 'fail') throw deed.failure();
    throw new VendorFailure(new AppError('UPSTREAM_TIMEOUT'), 'timeout', { retryElsewhere: true });
  };
  return {
    healthOf: monitor.healthOf,
    setChannels: monitor.setChannels,
    noteSpeed: monitor.noteSpeed,
    noteRejected: monitor.noteRejected,
    lateFirstTokenMs: monitor.lateFirstTokenMs,
    complete: () => Promise.reject(new Error('the simulation only streams')),
    stream: (call, signal) =>
      guarded(parts, call, signal, ({ onTurn, onOver }) => {
        onTurn();
        return open(call, signal, onOver);
      }),
  };
}

async function waited(clock: FakeClock, forMs: number, signal: AbortSignal, over: () => void) {
  try {
    await delay(clock, forMs, signal);
  } catch {
    over();
    throw aborted(true);
  }
}

function streamOf(
  clock: FakeClock,
  answerMs: number,
  signal: AbortSignal,
  over: () => void,
): VendorStream {
  let told = 0;
  return {
    async next() {
      told += 1;
      if (told === 1) return [textPiece('Hi')];
      if (told > 2) return undefined;
      await waited(clock, answerMs, signal, over);
      over();
      return [FINISH_PIECE];
    },
  };
}
