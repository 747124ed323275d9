import type { AppError, Clock } from '@tollgate/core';
import type {
  ExchangeHandle,
  ExchangeObserver,
  FailurePhase,
  FailureReason,
  ResponseHeaders,
} from '@tollgate/egress';
import type { AnswerMemory } from '../domain/answer-room';
import type { VendorCall, VendorFailure } from '../domain/vendor';
import { aborted } from '../domain/vendor-failures';
import { AnswerTimes } from './answer-times';
import type { ChannelConnection } from './channel-connections';
import { checkHead } from './protocol/answer-head';
import { brokenOff, failureOfExchange, unreadable, vendorFailureIn } from './protocol/failures';
import type {
  AnswerReader,
  AnswerTimeouts,
  ReadBounds,
  VendorProtocol,
  VendorRefusal,
} from './protocol/vendor-protocol';
import { TickBound } from './tick-bound';

export interface VendorAnswerDependencies<Piece> {
  readonly connection: ChannelConnection;
  readonly protocol: VendorProtocol;
  readonly clock: Clock;
  readonly bounds: ReadBounds;
  readonly timeouts: AnswerTimeouts;
  readonly signal: AbortSignal;
  readonly reader: AnswerReader<Piece>;
  /** Bytes of what waits for `next` at which the vendor is paused. */
  readonly waitingBytesMax: number;
  /** Opens room for what waits, and for what the reader holds. */
  readonly openMemory: (cut: (failure: VendorFailure) => void) => AnswerMemory;
  /**
   * The call waits in no queue, or no longer: what follows is the vendor's time. Throws a
   * VendorFailure when it should not be made any more.
   */
  readonly onTurn: () => void;
  /** Called once, whatever happens. */
  readonly onOver: () => void;
  /** The answer is complete, and its vendor would have gone on past the tokens asked for. */
  readonly onPastAsked: () => void;
  /** An answer that had begun ended without the vendor saying so. */
  readonly onBroken: (failure: VendorFailure) => void;
  /** A refusal was read, with what of its body came in bounds. */
  readonly onRefused: (refusal: VendorRefusal, failure: VendorFailure) => void;
}

/** How much is read of a refusal, or of a body after the end of its answer. */
const TAIL_BYTES_MAX = 64 * 1024;
const NO_BYTES = Buffer.alloc(0);

/**
 * The one way between a vendor's socket and whoever reads its answer: pieces in order, then
 * exactly one end.
 *
 *   connecting ──▶ sent ──good head──▶ answering ──first event──▶ open ──▶ ended
 *       │           ├──head that its body explains──▶ refused ────────────────▲
 *       └───────────┴── bad head, time, abort, reset, nonsense ───────────────┘
 *
 * One rule for a reader that is slow: what it has not taken with `next` waits, and at
 * `waitingBytesMax` the vendor is paused until it takes it. Nobody reads before the first event, so
 * there is no pause before it.
 *
 * A vendor that sends faster than one reads may not take the process from everybody else: of what
 * one read of its socket brings, so much is read in a tick of the loop, and the rest in later ones.
 *
 * The end may come before that of the body: after a refusal, or when the vendor said that nothing
 * follows. The tail is read in bounds, because a connection for each refusal would answer a vendor
 * that limits us with a storm of handshakes.
 */
export class VendorAnswer<Piece> implements ExchangeObserver {
  readonly #deps: VendorAnswerDependencies<Piece>;
  readonly #streamed: boolean;
  readonly #memory: AnswerMemory;
  readonly #handle: ExchangeHandle;
  readonly #opened = Promise.withResolvers<void>();
  readonly #onAbort = () => this.#stop(aborted(this.#times.isSent));
  readonly #times: AnswerTimes;
  #phase: 'connecting' | 'sent' | 'answering' | 'open' | 'refused' | 'ended' = 'connecting';
  #waiting: Piece[] = [];
  #waitingBytes = 0;
  #taker: PromiseWithResolvers<readonly Piece[] | undefined> | undefined;
  #failure: VendorFailure | undefined;
  /** Until its body has been read. */
  #refusal: Omit<VendorRefusal, 'body'> | undefined;
  /** Its meaning, where that is known before its body. */
  #refusedAs: VendorFailure | undefined;
  /** This tick has read as much as it may: the vendor, and `#unread`, wait for the next one. */
  #waitsForTick = false;
  #unread: Buffer = NO_BYTES;
  readonly #tickBound = new TickBound();
  #tail: Buffer[] = [];
  #tailBytes = 0;

  constructor(deps: VendorAnswerDependencies<Piece>, call: VendorCall) {
    const { clock, connection, protocol, signal, timeouts } = deps;
    this.#deps = deps;
    this.#streamed = call.stream;
    // Before anything that has to be ended: a request that cannot be built leaves nothing behind.
    const { path, headers: own, body } = protocol.buildRequest(call);
    const { traceparent } = call;
    const headers = traceparent === undefined ? own : { ...own, traceparent };
    this.#opened.promise.catch(() => {});
    this.#memory = deps.openMemory((failure) => this.#giveWay(failure));
    this.#times = new AnswerTimes(clock, timeouts, call.stream, (failure) => this.#stop(failure));
    signal.addEventListener('abort', this.#onAbort, { once: true });
    this.#handle = connection.pool.dispatch(
      {
        method: 'POST',
        path: `${connection.basePath}${path}`,
        headers,
        body,
        owner: call.accountId,
      },
      this,
    );
    if (this.#handle.hasTurn) this.#takeTurn();
    else this.#times.waitInLine();
  }

  /** Resolves at the first event; rejects with VendorFailure when the end comes before it. */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  /**
   * The next pieces; undefined after a complete answer; rejects with VendorFailure after a cut one.
   * To be called again only when it has settled.
   */
  next(): Promise<readonly Piece[] | undefined> {
    if (this.#waiting.length > 0) {
      const pieces = this.#waiting;
      this.#waiting = [];
      this.#waitingBytes = 0;
      this.#memory.waiting.release();
      this.#times.goOn();
      this.#resume();
      return Promise.resolve(pieces);
    }
    if (this.#phase === 'ended') {
      return this.#failure === undefined
        ? Promise.resolve(undefined)
        : Promise.reject(this.#failure);
    }
    this.#taker = Promise.withResolvers();
    return this.#taker.promise;
  }

  onTurn(): void {
    this.#times.takeTurn();
    this.#takeTurn();
  }

  onSent(): void {
    if (this.#phase !== 'connecting') return;
    this.#phase = 'sent';
    this.#times.send();
  }

  onHead(status: number, headers: ResponseHeaders): void {
    if (this.#phase === 'ended') return;
    const verdict = checkHead(status, headers, this.#streamed);
    if (verdict === 'good') {
      this.#phase = 'answering';
      this.#times.awaitFirstEvent();
      return;
    }
    this.#refusal = { status, headers };
    if (verdict === 'explained') this.#phase = 'refused';
    else {
      this.#refusedAs =
        verdict === 'bad'
          ? this.#meaningOf({ status, headers, body: NO_BYTES })
          : unreadable(`the vendor answered ${status} with an unexpected content type`);
      this.#end(this.#refusedAs);
    }
    this.#boundTail();
  }

  onData(chunk: Buffer): void {
    if (this.#phase === 'ended' || this.#phase === 'refused') {
      this.#readTail(chunk);
      return;
    }
    if (this.#waitsForTick) this.#unread = Buffer.concat([this.#unread, chunk]);
    else this.#readInTicks(chunk);
  }

  onEnd(): void {
    this.#times.endPhase();
    this.#closeTail();
    this.#readRest();
    if (this.#phase === 'ended') return;
    const failure = this.#read(undefined);
    const { progress } = this.#deps.reader;
    // Without a last word only its finish reasons tell a complete answer from a cut one.
    if (failure !== undefined) this.#end(failure);
    else if (progress === 'none') this.#end(unreadable('the vendor’s stream was empty'));
    else if (progress === 'begun') this.#end(brokenOff());
    else this.#end(undefined);
  }

  onFailure(error: AppError, phase: FailurePhase, reason: FailureReason): void {
    this.#times.endPhase();
    this.#closeTail();
    this.#readRest();
    this.#end(failureOfExchange(error, phase, reason, this.#times.mayTryElsewhere));
  }

  #takeTurn(): void {
    try {
      this.#deps.onTurn();
    } catch (error) {
      this.#stop(vendorFailureIn(error));
    }
  }

  #readInTicks(chunk: Buffer): void {
    // An answer in one piece is read at its end.
    const part = this.#streamed ? this.#tickBound.partOf(chunk) : chunk;
    const { progress: before } = this.#deps.reader;
    const failure = this.#read(part);
    const { progress } = this.#deps.reader;
    if (progress === 'finished' && before !== progress) this.#times.awaitLastWord();
    if (failure !== undefined) this.#stop(failure);
    else if (progress === 'over') {
      this.#end(undefined);
      this.#handle.resume();
      this.#boundTail();
    } else if (this.#tickBound.isReached) {
      this.#waitsForTick = true;
      this.#unread = chunk.subarray(part.length);
      this.#handle.pause();
      setImmediate(() => this.#readOn());
    }
  }

  #readOn(): void {
    if (!this.#waitsForTick) return;
    const rest = this.#takeUnread();
    this.#tickBound.restart();
    if (rest.length > 0) this.#readInTicks(rest);
    if (!this.#isFull) this.#resume();
  }

  /** Nothing follows that would wait for it. */
  #readRest(): void {
    const rest = this.#takeUnread();
    if (rest.length === 0) return;
    const failure = this.#read(rest);
    if (failure !== undefined || this.#deps.reader.progress === 'over') this.#end(failure);
  }

  #takeUnread(): Buffer {
    const rest = this.#unread;
    this.#unread = NO_BYTES;
    this.#waitsForTick = false;
    return rest;
  }

  #resume(): void {
    if (!this.#waitsForTick) this.#handle.resume();
  }

  /** Hands on what the chunk, or the end of the body, completes; returns why nothing can follow. */
  #read(chunk: Buffer | undefined): VendorFailure | undefined {
    const { reader } = this.#deps;
    const pieces: Piece[] = [];
    let failure: VendorFailure | undefined;
    try {
      if (chunk === undefined) reader.end(pieces);
      else reader.push(chunk, pieces);
      this.#memory.reading.hold(reader.heldBytes);
    } catch (error) {
      failure = vendorFailureIn(error);
      // While nobody has got anything another channel may do better.
      if (this.#phase !== 'open' && reader.progress !== 'finished') return failure;
    }
    try {
      this.#hand(pieces, chunk?.length ?? 0);
    } catch (error) {
      failure ??= vendorFailureIn(error);
    }
    return failure;
  }

  #hand(pieces: readonly Piece[], bytes: number): void {
    if (pieces.length === 0) return;
    if (this.#phase === 'answering' && this.#deps.reader.progress !== 'none') this.#open();
    const taker = this.#taker;
    if (taker !== undefined) {
      this.#taker = undefined;
      taker.resolve(pieces);
      return;
    }
    // One read of the socket may bring hundreds of pieces before whoever waits can ask again.
    for (const piece of pieces) this.#waiting.push(piece);
    this.#waitingBytes += bytes;
    this.#memory.waiting.hold(this.#waitingBytes);
    if (!this.#isFull || this.#phase !== 'open') return;
    this.#times.holdUp();
    this.#handle.pause();
  }

  get #isFull(): boolean {
    return this.#waitingBytes >= this.#deps.waitingBytesMax;
  }

  /** From now on only silence and the total count, until it is complete. */
  #open(): void {
    this.#phase = 'open';
    this.#times.endPhase();
    this.#opened.resolve();
  }

  #stop(failure: VendorFailure): void {
    this.#end(failure);
    this.#handle.abort(failure);
  }

  /** Another answer needs the room. What waits goes, also when it is all of the answer. */
  #giveWay(failure: VendorFailure): void {
    this.#stop(failure);
    if (this.#waiting.length === 0) return;
    this.#waiting = [];
    this.#failure ??= failure;
  }

  /**
   * The one end. A failure after the last choice ended lost only bookkeeping: the answer is
   * complete, and `onBroken` alone hears of it.
   */
  #end(failure: VendorFailure | undefined): void {
    if (this.#phase === 'ended') return;
    const wasOpen = this.#phase === 'open';
    const finished = this.#deps.reader.progress === 'finished';
    const cut = finished && failure?.outcome !== 'aborted' ? undefined : failure;
    this.#phase = 'ended';
    this.#takeUnread();
    this.#failure = cut;
    this.#times.end();
    this.#deps.signal.removeEventListener('abort', this.#onAbort);
    // Whoever ended it reads no more, and of an answer that never opened nobody has read anything.
    if (cut?.outcome === 'aborted' || (cut !== undefined && !wasOpen)) this.#waiting = [];
    // What waits is held until it is taken.
    if (this.#waiting.length === 0) this.#memory.waiting.release();
    this.#memory.reading.release();
    this.#deps.onOver();
    if (failure !== undefined && wasOpen) this.#deps.onBroken(failure);
    if (failure === undefined && this.#deps.reader.isPastAsked) this.#deps.onPastAsked();
    if (cut === undefined) {
      this.#taker?.resolve(undefined);
      return;
    }
    if (!wasOpen) this.#opened.reject(cut);
    this.#taker?.reject(cut);
  }

  #boundTail(): void {
    this.#times.awaitTail(() => {
      this.#closeTail();
      this.#handle.abort('what follows the end does not end');
    });
  }

  #readTail(chunk: Buffer): void {
    this.#tailBytes += chunk.length;
    if (this.#tailBytes > TAIL_BYTES_MAX) {
      this.#closeTail();
      this.#handle.abort('what follows the end is too long');
    } else if (this.#refusal !== undefined) this.#tail.push(chunk);
  }

  /** The text of a refusal has come, or no more of it is read. */
  #closeTail(): void {
    if (this.#refusal === undefined) return;
    const refusal = { ...this.#refusal, body: Buffer.concat(this.#tail) };
    this.#refusal = undefined;
    this.#tail = [];
    const failure = this.#refusedAs ?? this.#meaningOf(refusal);
    // Before whoever waits for the failure reads it.
    this.#deps.onRefused(refusal, failure);
    if (this.#phase === 'refused') this.#end(failure);
  }

  #meaningOf(refusal: VendorRefusal): VendorFailure {
    const { clock, bounds, protocol } = this.#deps;
    return protocol.toFailure(refusal, bounds, clock.now());
  }
}
