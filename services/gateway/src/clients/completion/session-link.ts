import {
  AppError,
  type BackoffPolicy,
  backoffDelayMs,
  type Clock,
  type Logger,
  type Timer,
} from '@tollgate/core';
import { UINT32_MAX } from '@tollgate/rpc';
import { NotBegunError } from './client';
import type { InFlightCompletion } from './in-flight-completion';
import { CompletionSession, type SessionStream } from './session';

export interface SessionLinkOptions {
  readonly open: () => SessionStream;
  /** How long an instance may take to accept a session, milliseconds. */
  readonly connectTimeoutMs: number;
  /** Payload bytes of requests that wait to be sent. */
  readonly queueBytesMax: number;
  /** Requests that one session may carry in its life, for tests; all that its numbers allow, 2³²-1. */
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
 *         takes no work           failed to connect, drains, or broke within a second
 *  ready ◀──────────────▶ unready ──────────────┐
 *    │     takes work again                     ▼
 *    └────────────────────────────────────────▶ away   tries again with back-off, refuses meanwhile
 *    ◀──────────────────────────────────────────┘
 *                     a session is accepted
 * ```
 *
 * It is `ready` from the first attempt to connect, and stays so while it connects again at once after
 * a session that lived for a second or more.
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
