import type { Clock } from '@tollgate/core';
import { usualTokensOf } from '../domain/prompt-size';
import type { ChannelType } from '../domain/route-table';
import type { VendorUsage } from '../domain/usage';
import {
  completionTokensMaxOf,
  type VendorCall,
  type VendorCompletion,
  VendorFailure,
  type VendorFrame,
  type VendorPort,
  type VendorStream,
  type VendorStreamObserver,
} from '../domain/vendor';
import { aborted, answerTooLong, notSent } from '../domain/vendor-failures';
import type { AnswerBudget, HeldBytes } from './answer-budget';
import type { CallReport, ChannelMonitor } from './channel-monitor';
import type { ChannelPools } from './channel-pools';
import { unreadable } from './openai/errors';
import { openaiProtocol } from './openai/index';
import type { ReadLimits, VendorProtocol, VendorStreamReader } from './protocol';
import { simulatorProtocol } from './simulator/index';
import {
  type BodySink,
  type ExchangeParts,
  type ExchangeTimeouts,
  VendorExchange,
} from './vendor-exchange';

/** Bounds of vendor calls. */
export interface VendorLimits extends ReadLimits {
  /** From sending to the head of a stream. */
  readonly headTimeoutMs: number;
  /** The same for an answer in one piece, whose head many vendors send when all of it is made. */
  readonly wholeHeadTimeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly firstTokenTimeoutMs: number;
  readonly totalTimeoutMs: number;
  /** Longest answer that is not streamed. */
  readonly answerBytesMax: number;
  /** Bytes of a stream that wait for their reader before the vendor is paused. */
  readonly streamBytesMax: number;
}

/** Lines whose end has not come have a budget apart: they may not cost others their whole answers. */
export interface AnswerBudgets {
  readonly answers: AnswerBudget;
  readonly lines: AnswerBudget;
}

/** What the client is made of. */
export interface VendorClientParts {
  readonly pools: ChannelPools;
  readonly monitor: ChannelMonitor;
  readonly clock: Clock;
  readonly limits: VendorLimits;
  readonly budgets: AnswerBudgets;
}

const LINGER_MS = 1000;

const PROTOCOLS: Readonly<Partial<Record<ChannelType, VendorProtocol>>> = {
  openai: openaiProtocol,
  simulator: simulatorProtocol,
};

/** Calls vendors over HTTP, through each channel's connections and breaker. */
export function createVendorClient(parts: VendorClientParts): VendorPort {
  const { monitor, pools } = parts;
  return {
    views: monitor.views,
    setChannels(channels) {
      const served = channels.filter((channel) => PROTOCOLS[channel.type] !== undefined);
      pools.setChannels(served);
      monitor.setChannels(served.filter((channel) => pools.get(channel.id) !== undefined));
    },
    complete: async (call, signal) =>
      guarded(parts, call, (onOver) => collect(parts, call, { signal, onOver })),
    stream: async (call, signal) =>
      guarded(parts, call, (onOver) => openStream(parts, call, { signal, onOver })),
  };
}

/**
 * Runs a call under the breaker of its model at the channel, up to what proves that the vendor
 * works: a whole answer, or the first event of a stream. A good head proves nothing.
 */
async function guarded<Answer>(
  { clock, monitor }: VendorClientParts,
  call: VendorCall,
  run: (onOver: () => void) => Promise<Answer>,
): Promise<Answer> {
  const permit = monitor.enter(call.offer);
  const sentMs = clock.monotonicMs();
  const elapsedMs = () => clock.monotonicMs() - sentMs;
  try {
    const answer = await run(permit.leave);
    const latencyMs = elapsedMs();
    const firstTokenMs = call.stream ? latencyMs : undefined;
    permit.settle({ outcome: 'success', latencyMs, firstTokenMs });
    return answer;
  } catch (error) {
    permit.leave();
    permit.settle({ ...reportOf(error), latencyMs: elapsedMs() });
    throw error;
  }
}

/** A fault of our own says nothing about the vendor. */
function reportOf(error: unknown): Pick<CallReport, 'cooldownMs' | 'outcome'> {
  if (!(error instanceof VendorFailure)) return { outcome: 'aborted' };
  const { outcome } = error;
  return outcome === 'rate_limited'
    ? { outcome, cooldownMs: error.error.retryAfterMs }
    : { outcome };
}

/** What ends a call, and who hears of its end. */
type Steering = Pick<ExchangeParts, 'onOver' | 'signal'>;

/** Ends the call; to be called when the exchange has begun. */
type Cut = (failure: VendorFailure) => void;

/** Starts the exchange; resolves at a good head. */
async function begin(
  parts: VendorClientParts,
  call: VendorCall,
  steering: Steering,
  createSink: (protocol: VendorProtocol, cut: Cut) => BodySink,
): Promise<VendorExchange> {
  const { channel } = call.offer;
  const protocol = PROTOCOLS[channel.type];
  const connection = parts.pools.get(channel.id);
  if (protocol === undefined || connection === undefined) throw notSent('the channel is gone');
  if (steering.signal.aborted) throw aborted();
  const { limits, clock } = parts;
  const timeouts = timeoutsOf(call, limits);
  const exchange: VendorExchange = new VendorExchange(
    { connection, protocol, clock, limits, timeouts, ...steering },
    call,
    createSink(protocol, (failure) => exchange.cut(failure)),
  );
  await exchange.head;
  return exchange;
}

/** The channel's bounds, and ours where it has none. */
function timeoutsOf({ offer, stream }: VendorCall, limits: VendorLimits): ExchangeTimeouts {
  const { timeouts } = offer.channel;
  const connectMs = timeouts.connectMs || limits.connectTimeoutMs;
  return {
    // Twice, so that a connection that does not open is told from none being free: the first is the
    // vendor's failure.
    connectionMs: 2 * connectMs,
    headMs: stream
      ? timeouts.headMs || limits.headTimeoutMs
      : timeouts.wholeHeadMs || limits.wholeHeadTimeoutMs,
    firstEventMs: stream ? timeouts.firstTokenMs || limits.firstTokenTimeoutMs : undefined,
    totalMs: timeouts.totalMs || limits.totalTimeoutMs,
  };
}

async function collect(
  parts: VendorClientParts,
  call: VendorCall,
  steering: Steering,
): Promise<VendorCompletion> {
  const { promise, resolve, reject } = Promise.withResolvers<VendorCompletion>();
  // The head may fail first; then nobody is left to hear of the body.
  promise.catch(() => {});
  const chunks: Buffer[] = [];
  const { answerBytesMax } = parts.limits;
  let held: HeldBytes | undefined;
  let bytes = 0;
  await begin(parts, call, steering, (protocol, cut) => ({
    onData(chunk) {
      held ??= parts.budgets.answers.open(cut);
      bytes += chunk.length;
      if (bytes > answerBytesMax) throw answerTooLong(estimateOf(call, bytes));
      held.hold(bytes);
      chunks.push(chunk);
      return true;
    },
    onEnd() {
      const completion = protocol.parseCompletion(Buffer.concat(chunks), call);
      // Numbers and broken characters may be longer when they are written anew.
      if (completion.choices.length > answerBytesMax) throw answerTooLong(estimateOf(call, bytes));
      resolve(completion);
    },
    onFailure: reject,
  }));
  return promise.finally(() => held?.release());
}

/** What the vendor counts for an answer that nobody reads to its end. */
function estimateOf(call: VendorCall, answerBytes: number): VendorUsage {
  const promptBytes = call.messages.length + call.parameters.capabilityMembers.length;
  return {
    prompt: usualTokensOf(promptBytes),
    completion: Math.min(usualTokensOf(answerBytes), completionTokensMaxOf(call)),
    cached: 0,
  };
}

async function openStream(
  parts: VendorClientParts,
  call: VendorCall,
  steering: Steering,
): Promise<VendorStream> {
  let relay: StreamRelay | undefined;
  const { answers, lines } = parts.budgets;
  const exchange = await begin(parts, call, steering, (protocol, cut) => {
    relay = new StreamRelay(protocol.createStreamReader(parts.limits, call), {
      held: answers.open(cut),
      line: lines.open(cut),
      bytesMax: parts.limits.streamBytesMax,
      onBroken: ({ outcome }) => parts.monitor.note(call.offer, { outcome, latencyMs: 0 }),
    });
    return relay;
  });
  if (relay === undefined) throw notSent('the exchange has no reader');
  relay.bind(exchange);
  await relay.proven;
  return relay;
}

/** Counts and an end without anything before them are no answer. */
function isAnswer({ kind }: VendorFrame): boolean {
  return kind === 'delta' || kind === 'finish';
}

interface StreamRelayParts {
  /** Of frames that wait for a reader. */
  readonly held: HeldBytes;
  /** Of a line whose end has not come. */
  readonly line: HeldBytes;
  /** What waits for a reader before the vendor is paused. */
  readonly bytesMax: number;
  /** The stream ended without the vendor saying so. */
  readonly onBroken: (failure: VendorFailure) => void;
}

/**
 * Stands between the vendor's bytes and the reader of our frames: keeps what comes before a reader
 * is there, in bounds.
 */
class StreamRelay implements BodySink, VendorStream {
  readonly #reader: VendorStreamReader;
  readonly #parts: StreamRelayParts;
  readonly #proven = Promise.withResolvers<void>();
  #exchange: VendorExchange | undefined;
  #observer: VendorStreamObserver | undefined;
  #waiting: VendorFrame[] = [];
  #waitingBytes = 0;
  #isProven = false;
  #done = false;
  #end: { readonly failure: VendorFailure | undefined } | undefined;

  constructor(reader: VendorStreamReader, parts: StreamRelayParts) {
    this.#reader = reader;
    this.#parts = parts;
    this.#proven.promise.catch(() => {});
  }

  /** Resolves at the first frame; rejects when the stream ends without one. */
  get proven(): Promise<void> {
    return this.#proven.promise;
  }

  bind(exchange: VendorExchange): void {
    this.#exchange = exchange;
    if (this.#isProven) exchange.markAnswered();
    if (this.#done) exchange.linger(LINGER_MS);
  }

  onData(chunk: Buffer): boolean {
    const { bytesMax, held, line } = this.#parts;
    const frames = this.#reader.push(chunk);
    if (this.#observer === undefined && frames.length > 0) this.#waitingBytes += chunk.length;
    held.hold(this.#waitingBytes);
    line.hold(this.#reader.heldBytes);
    const flowing = this.#deliver(frames);
    // Nobody reads before the first answer, and so nobody would let a paused vendor go on.
    return flowing && (!this.#isProven || this.#waitingBytes < bytesMax);
  }

  onEnd(): void {
    this.#release();
    this.#deliver(this.#reader.end());
    if (!this.#isProven) throw unreadable('the vendor’s stream was empty');
    this.#conclude(undefined);
  }

  onFailure(failure: VendorFailure): void {
    this.#release();
    if (this.#isProven) this.#conclude(failure);
    else this.#proven.reject(failure);
  }

  attach(observer: VendorStreamObserver): void {
    this.#observer = observer;
    const frames = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#parts.held.release();
    if (frames.length > 0 && !observer.onFrames(frames)) this.#exchange?.pause();
    else this.#exchange?.resume();
    if (this.#end !== undefined) this.#tellEnd(this.#end.failure);
  }

  pause(): void {
    this.#exchange?.pause();
  }

  resume(): void {
    this.#exchange?.resume();
  }

  abort(): void {
    this.#exchange?.abort();
  }

  #deliver(frames: readonly VendorFrame[]): boolean {
    if (frames.length === 0) return true;
    if (!this.#isProven && frames.some(isAnswer)) {
      this.#isProven = true;
      this.#exchange?.markAnswered();
      this.#proven.resolve();
    }
    if (frames.some((frame) => frame.kind === 'done')) {
      if (!this.#isProven) throw unreadable('the vendor’s stream had no answer in it');
      this.#done = true;
      this.#exchange?.linger(LINGER_MS);
    }
    if (this.#observer !== undefined) return this.#observer.onFrames(frames);
    this.#waiting.push(...frames);
    return true;
  }

  #release(): void {
    this.#parts.held.release();
    this.#parts.line.release();
  }

  #conclude(failure: VendorFailure | undefined): void {
    if (this.#end !== undefined) return;
    this.#end = { failure };
    if (failure !== undefined && !this.#done) this.#parts.onBroken(failure);
    if (this.#observer !== undefined) this.#tellEnd(failure);
  }

  #tellEnd(failure: VendorFailure | undefined): void {
    if (failure === undefined) this.#observer?.onEnd();
    else this.#observer?.onFailure(failure);
  }
}
