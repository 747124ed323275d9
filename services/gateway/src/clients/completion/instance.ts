import {
  AppError,
  type BackoffPolicy,
  backoffDelayMs,
  type Clock,
  type Logger,
  type Timer,
  TurnoverMap,
  waitAtMost,
} from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import {
  type ClientDuplex,
  type completionDefinition,
  FRAME_BYTES_MAX,
  FrameQueue,
  payloadOfRequest,
  type RpcClient,
  toUint32,
  UINT32_MAX,
} from '@tollgate/rpc';
import type { ByteBound } from '../../bounds/byte-bound';
import { type CompletionClient, NotBegunError, QueueFullError } from './client';
import { type CompletionCarrier, InFlightCompletion } from './in-flight-completion';
import { InFlightCompletions } from './in-flight-completions';

export interface InstanceClientOptions extends Omit<SessionLinkOptions, 'open' | 'numberMax'> {
  readonly rpc: RpcClient<typeof completionDefinition>;
  /** Payload bytes that may wait for the reader of one completion. */
  readonly heldBytesMax: number;
  /** The bytes that all completions together may hold for their readers. */
  readonly readers: ByteBound;
}

/** All requests to one instance on one long-lived session; it is opened at once and kept open. */
export function createInstanceClient(options: InstanceClientOptions): CompletionClient {
  const { clock, heldBytesMax, readers, rpc } = options;
  const completions = new InFlightCompletions(clock);
  const link = new SessionLink({ ...options, open: () => rpc.session() });

  return {
    get available() {
      return link.available;
    },
    open({ input, stream }, { deadlineMs, traceparent }, listener) {
      if (link.draining) throw new AppError('SERVICE_UNAVAILABLE', { internalMessage: 'draining' });
      const completion = new InFlightCompletion({
        toOpen: {
          // 0 would say that there is no deadline.
          input: { ...input, deadlineMs: Math.max(1, toUint32(deadlineMs)), traceparent },
          stream,
        },
        untilMs: clock.monotonicMs() + deadlineMs,
        listener,
        heldBytesMax,
        readers,
      });
      completions.add(completion);
      link.send(completion);
      return completion;
    },
    explain: (request, call) => rpc.explainRoute(request, call),
    countTokens: (input, call) => rpc.countTokens({ input }, call),
    defaultTimeouts: (call) => rpc.getDefaultTimeouts({}, call),
    listActive: async (sought, call) => ({
      ...(await rpc.listActiveRequests(sought, call)),
      silent: [],
    }),
    async drain(deadlineMs) {
      link.drain();
      await waitAtMost(clock, deadlineMs, completions.idle());
      completions.cutAll('cut by the drain');
    },
    close() {
      link.close();
      completions.close();
      rpc.close();
    },
  };
}

/** The stream that a session runs on. */
export type SessionStream = ClientDuplex<completionV1.SessionRequest, completionV1.SessionResponse>;
type RequestFrame = completionV1.SessionRequestFrame;

export interface SessionLinkOptions {
  readonly open: () => SessionStream;
  /** How long an instance may take to accept a session, milliseconds. */
  readonly connectTimeoutMs: number;
  /** Payload bytes of requests that wait to be sent. */
  readonly queueBytesMax: number;
  /** Requests that one session may carry in its life; 2³²-1, which its numbers allow. */
  readonly numberMax?: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

const BACKOFF: BackoffPolicy = { initialMs: 50, maxMs: 1000 };
/** A session that lived this long was a good one: the next is tried at once. */
const STEADY_MS = 1000;

/**
 * Keeps one session to one instance.
 *
 * ```
 *              accepted            broke after a second or more
 *  [connecting] ──────▶ [connected] ─────────────────────────▶ [connecting]
 *       │ failed             │ drains, or broke within a second
 *       ▼                    ▼
 *  [away] ◀──────────────────┘   tries again with back-off, and refuses meanwhile
 * ```
 *
 * The first attempt counts as `ready`, and so does one that follows a break at once; after that the
 * instance is `away` until a session is accepted. A connected one is `ready`, or `unready` when the
 * instance said that it takes no work.
 *
 * A session that leaves goes on beside the next one until its requests have ended.
 */
export class SessionLink {
  readonly #options: SessionLinkOptions;
  readonly #leaving = new Set<CompletionSession>();
  #current: CompletionSession | undefined;
  #state: 'ready' | 'unready' | 'away' = 'ready';
  #failedConnects = 0;
  #timer: Timer | undefined;
  #draining = false;

  constructor(options: SessionLinkOptions) {
    this.#options = options;
    this.#connect();
  }

  /** False while the instance is away, shuts down, or takes no work. */
  get available(): boolean {
    return this.#state === 'ready' && !this.#draining;
  }

  get draining(): boolean {
    return this.#draining;
  }

  send(completion: InFlightCompletion): void {
    if (this.#current !== undefined && this.#state !== 'away') this.#current.open(completion);
    else completion.fail(new NotBegunError('completion is away'));
  }

  /** Opens no more sessions; what runs goes on. */
  drain(): void {
    this.#draining = true;
  }

  /** Cuts what still runs. */
  close(): void {
    this.#draining = true;
    this.#timer?.cancel();
    const reason = new AppError('SERVICE_UNAVAILABLE', { internalMessage: 'closed' });
    for (const session of [...this.#leaving]) session.cut(reason);
    this.#current?.cut(reason);
  }

  #connect(): void {
    if (this.#draining) return;
    const {
      clock,
      connectTimeoutMs,
      logger,
      numberMax = UINT32_MAX,
      queueBytesMax,
    } = this.#options;
    const bounds = { numberMax, queueBytesMax };
    let acceptedMs: number | undefined;
    const connectAgain = (mayBeAtOnce: boolean) => {
      this.#current = undefined;
      const steady = acceptedMs !== undefined && clock.monotonicMs() - acceptedMs >= STEADY_MS;
      if (steady) this.#failedConnects = 0;
      if (steady && mayBeAtOnce) this.#connect();
      else this.#connectLater();
    };
    const session = new CompletionSession(this.#options.open(), bounds, {
      onAccept: () => {
        acceptedMs = clock.monotonicMs();
        this.#timer?.cancel();
        this.#state = 'ready';
        logger.debug({}, 'the session to completion is open');
      },
      onReadiness: (ready) => {
        if (this.#current === session) this.#state = ready ? 'ready' : 'unready';
      },
      onLeave: (draining) => {
        this.#leaving.add(session);
        if (this.#current === session) connectAgain(!draining);
      },
      onOver: (error) => {
        this.#leaving.delete(session);
        if (this.#current !== session) return;
        this.#reportLoss(acceptedMs !== undefined, error);
        connectAgain(true);
      },
    });
    this.#current = session;
    this.#timer?.cancel();
    this.#timer = clock.schedule(connectTimeoutMs, () =>
      session.cut(new NotBegunError(`no session within ${connectTimeoutMs} ms`)),
    );
  }

  #connectLater(): void {
    if (this.#draining) return;
    this.#state = 'away';
    const delayMs = backoffDelayMs(BACKOFF, this.#failedConnects);
    this.#failedConnects += 1;
    this.#timer?.cancel();
    this.#timer = this.#options.clock.schedule(delayMs, () => this.#connect());
  }

  #reportLoss(accepted: boolean, error: AppError | undefined): void {
    if (this.#draining) return;
    const { logger } = this.#options;
    if (accepted) logger.warn({ error }, 'the session to completion broke; connecting again');
    else if (this.#failedConnects === 0) logger.warn({ error }, 'completion gives no session');
  }
}

/** The events of a session for its keeper. */
interface CompletionSessionListener {
  /** The instance serves it: what waited is sent. */
  onAccept(): void;
  /** Nothing more shall be opened here: the instance drains, or the numbers are used up. */
  onLeave(draining: boolean): void;
  /** Whether the instance takes work, as its last message said. */
  onReadiness(ready: boolean): void;
  /** Called once, after every request of the session has ended. */
  onOver(error: AppError | undefined): void;
}

/** Bounds of one session. */
interface CompletionSessionBounds {
  /** Payload bytes of requests that wait to be sent. */
  readonly queueBytesMax: number;
  /** The last number that a request may have. */
  readonly numberMax: number;
}

/**
 * Many requests on one stream to one instance. Before the instance accepts the stream they wait, so
 * that it is known that they were not begun if it never does.
 *
 * ```
 *            drains, or numbers used up      nothing runs
 *  [serving] ─────────────────────────▶ [leaving] ─────▶ [closing] ──▶ [over]
 *      └──────────────── the stream broke, or was cut ─────────────────▶ [over]
 * ```
 */
class CompletionSession implements CompletionCarrier {
  readonly #stream: SessionStream;
  readonly #listener: CompletionSessionListener;
  readonly #bounds: CompletionSessionBounds;
  readonly #running = new TurnoverMap<number, InFlightCompletion>();
  readonly #queue: FrameQueue<RequestFrame>;
  #number = 0;
  #phase: 'serving' | 'leaving' | 'closing' | 'over' = 'serving';

  constructor(
    stream: SessionStream,
    bounds: CompletionSessionBounds,
    listener: CompletionSessionListener,
  ) {
    this.#stream = stream;
    this.#listener = listener;
    this.#bounds = bounds;
    this.#queue = new FrameQueue<RequestFrame>({
      write: (frames) => this.#write(frames),
      onEmpty: () => this.#closeWhenIdle(),
    });
    this.#queue.hold();
    stream.onAccept(() => {
      if (this.#phase === 'over') return;
      this.#listener.onAccept();
      this.#queue.resume();
    });
    stream.onMessage((message) => this.#onMessage(message));
    stream.onDrain(() => this.#queue.resume());
    stream.onEnd((error) => this.#finish(error));
  }

  open(completion: InFlightCompletion): void {
    const frame: RequestFrame = {
      number: this.#number + 1,
      action: { $case: 'open', value: completion.options.toOpen },
    };
    const bytes = payloadOfRequest(frame);
    if (bytes > FRAME_BYTES_MAX) {
      completion.fail(new AppError('PAYLOAD_TOO_LARGE'));
      return;
    }
    if (this.#phase === 'over') {
      completion.fail(new NotBegunError('the session with completion is over'));
      return;
    }
    if (this.#queue.bytes + bytes > this.#bounds.queueBytesMax) {
      completion.fail(new QueueFullError());
      return;
    }
    this.#number += 1;
    completion.number = this.#number;
    completion.carrier = this;
    this.#running.set(this.#number, completion);
    this.#queue.push(frame, bytes);
    if (this.#number >= this.#bounds.numberMax) this.#leave(false);
  }

  drop(completion: InFlightCompletion): void {
    const { number, sent } = completion;
    if (!this.#running.delete(number)) return;
    if (sent) this.#queue.push({ number, action: { $case: 'cancel', value: true } }, 0);
    this.#closeWhenIdle();
  }

  setPaused({ number }: InFlightCompletion, paused: boolean): void {
    const $case = paused ? 'pause' : 'resume';
    this.#queue.push({ number, action: { $case, value: true } }, 0);
  }

  /** Ends the stream now, and what runs on it. */
  cut(error: AppError | undefined): void {
    this.#queue.flush();
    this.#finish(error);
    this.#stream.cancel();
  }

  #onMessage({ frames, draining, unready }: completionV1.SessionResponse): void {
    for (const { number, event } of frames) {
      const completion = this.#running.get(number);
      // Whoever was dropped is not listened to any more.
      if (completion === undefined) continue;
      if (completion.accept(event)) this.#running.delete(number);
    }
    this.#listener.onReadiness(!unready);
    if (draining) this.#leave(true);
    else this.#closeWhenIdle();
  }

  #write(frames: RequestFrame[]): boolean {
    const wanted = frames.filter((frame) => this.#leaves(frame));
    return wanted.length === 0 || this.#stream.write({ frames: wanted });
  }

  /** A request that was dropped before it left need not leave. */
  #leaves({ number, action }: RequestFrame): boolean {
    if (action?.$case === 'cancel') return true;
    const completion = this.#running.get(number);
    if (action?.$case === 'open') completion?.markSent();
    return completion !== undefined;
  }

  #leave(draining: boolean): void {
    if (this.#phase !== 'serving') return;
    this.#phase = 'leaving';
    this.#listener.onLeave(draining);
    this.#closeWhenIdle();
  }

  #closeWhenIdle(): void {
    if (this.#phase !== 'leaving' || this.#running.size > 0 || !this.#queue.empty) return;
    this.#phase = 'closing';
    this.#stream.end();
  }

  // An instance that ends a session in good order has answered everything that it began.
  #finish(error: AppError | undefined): void {
    if (this.#phase === 'over') return;
    this.#phase = 'over';
    this.#queue.close();
    const lost = [...this.#running.values()];
    this.#running.clear();
    for (const completion of lost) {
      if (error === undefined) completion.fail(new NotBegunError('completion ended the session'));
      else completion.cut('the session broke', error);
    }
    this.#listener.onOver(error);
  }
}
