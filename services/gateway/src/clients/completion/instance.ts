import {
  AppError,
  type BackoffPolicy,
  backoffDelayMs,
  type Clock,
  type Logger,
  type Timer,
  waitAtMost,
} from '@tollgate/core';
import type { completionDefinition, RpcClient } from '@tollgate/rpc';
import type { ByteBudget } from '../../limits/byte-budget';
import { type CompletionClient, NotBegunError } from './client';
import { InFlightCompletion } from './in-flight-completion';
import { InFlightCompletions } from './in-flight-completions';
import { CompletionSession, type SessionStream } from './session';

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

export interface InstanceClientOptions extends Omit<SessionLinkOptions, 'open' | 'numberMax'> {
  readonly rpc: RpcClient<typeof completionDefinition>;
  /** Payload bytes that may wait for the reader of one completion. */
  readonly heldBytesMax: number;
  /** The bytes that all completions together may hold for their readers. */
  readonly readers: ByteBudget;
}

const UINT32_MAX = 0xffff_ffff;

const BACKOFF: BackoffPolicy = { initialMs: 50, maxMs: 1000 };
/** A session that lived this long was a good one: the next is tried at once. */
const STEADY_MS = 1000;

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
          input: { ...input, deadlineMs: toUint32(deadlineMs), traceparent },
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
    explain: (request, { requestId, accountId, traceparent, deadlineMs }) =>
      rpc.explainRoute(request, { requestId, accountId, traceparent, deadlineMs }),
    countTokens: (input, { requestId, accountId, traceparent, deadlineMs }) =>
      rpc.countTokens({ input }, { requestId, accountId, traceparent, deadlineMs }),
    defaultTimeouts: ({ requestId, accountId, traceparent, deadlineMs }) =>
      rpc.getDefaultTimeouts({}, { requestId, accountId, traceparent, deadlineMs }),
    listActive: async (sought, { requestId, accountId, traceparent, deadlineMs }) => {
      const call = { requestId, accountId, traceparent, deadlineMs };
      return { ...(await rpc.listActiveRequests(sought, call)), silent: [] };
    },
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

/** At least 1, because 0 would say that there is no deadline. */
function toUint32(deadlineMs: number): number {
  return Math.max(1, Math.min(Math.ceil(deadlineMs), UINT32_MAX));
}

/**
 * Keeps one session to one instance.
 *
 * ```
 *              accepted                broke: at once, once
 *  [connecting] ──────▶ [connected] ─────────────────────────▶ [connecting]
 *       │ failed             │ drains, or broke soon
 *       ▼                    ▼
 *  [away] ◀──────────────────┘   tries again with back-off, and refuses meanwhile
 * ```
 *
 * While connecting and connected the state is `ready`, or `unready` when the instance said that it
 * takes no work.
 *
 * A retired session goes on beside the next one until its requests have ended.
 */
export class SessionLink {
  readonly #options: SessionLinkOptions;
  readonly #retired = new Set<CompletionSession>();
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
    for (const session of [...this.#retired]) session.cut(reason);
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
    const connectAgain = (soon: boolean) => {
      this.#current = undefined;
      const steady = acceptedMs !== undefined && clock.monotonicMs() - acceptedMs >= STEADY_MS;
      if (steady) this.#failedConnects = 0;
      if (steady && soon) this.#connect();
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
      onRetire: (draining) => {
        this.#retired.add(session);
        if (this.#current === session) connectAgain(!draining);
      },
      onOver: (error) => {
        this.#retired.delete(session);
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
