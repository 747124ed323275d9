import { AppError, type Clock, delay, type Logger } from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import type { completionDefinition, RpcClient } from '@tollgate/rpc';
import type { ByteBudget } from '../limits/byte-budget';
import type {
  CompletionCall,
  CompletionClient,
  CompletionListener,
  StreamOutcome,
} from './completion-client';
import { type CompletionReceiver, CompletionRequest } from './completion-request';
import { OpenRequests } from './open-requests';
import { SessionLink } from './session-link';

/** What a client over a session needs. */
export interface SessionClientOptions {
  readonly rpc: RpcClient<typeof completionDefinition>;
  /** How long an instance may take to accept a session, milliseconds. */
  readonly connectTimeoutMs: number;
  /** Payload bytes of requests that wait to be sent. */
  readonly queueBytesMax: number;
  /** Payload bytes that may wait for the reader of one stream. */
  readonly heldBytesMax: number;
  /** What all streams together may hold for their readers. */
  readonly readers: ByteBudget;
  readonly clock: Clock;
  readonly logger: Logger;
}

const UINT32_MAX = 0xffff_ffff;

/** All requests on one long-lived stream; it is opened at once and kept open. */
export function createSessionCompletionClient(options: SessionClientOptions): CompletionClient {
  const { clock, heldBytesMax, readers, rpc } = options;
  const requests = new OpenRequests(clock);
  const link = new SessionLink({ ...options, open: () => rpc.session() });
  const onOver = (request: CompletionRequest) => requests.remove(request);
  let draining = false;

  const begin = (
    input: completionV1.CompletionInput,
    call: CompletionCall,
    receiver: CompletionReceiver,
    stream: boolean,
  ): CompletionRequest => {
    if (draining) throw new AppError('SERVICE_UNAVAILABLE', { internalMessage: 'draining' });
    const { deadlineMs, traceparent } = call;
    const request = new CompletionRequest({
      input: { ...input, deadlineMs: toUint32(deadlineMs), traceparent },
      stream,
      deadlineMs: clock.monotonicMs() + deadlineMs,
      receiver,
      heldBytesMax,
      readers,
      onOver,
    });
    requests.add(request);
    link.send(request);
    return request;
  };

  return {
    get available() {
      return link.available && !draining;
    },
    complete(input, call) {
      const whole = new WholeReceiver();
      const request = begin(input, call, whole, false);
      return { answer: whole.answer, cancel: () => request.cancel() };
    },
    stream: (input, call, listener) => begin(input, call, new StreamReceiver(listener), true),
    explain: (input, { requestId, accountId, traceparent, deadlineMs }) =>
      rpc.explainRoute({ input }, { requestId, accountId, traceparent, deadlineMs }),
    async drain(deadlineMs) {
      draining = true;
      link.drain();
      const stopWaiting = new AbortController();
      await Promise.race([requests.idle(), delay(clock, deadlineMs, stopWaiting.signal)]);
      stopWaiting.abort();
      requests.cutAll('cut by the drain');
    },
    close() {
      draining = true;
      link.close();
      requests.close();
      rpc.close();
    },
  };
}

/** Makes a promise of an answer in one piece. */
class WholeReceiver implements CompletionReceiver {
  readonly #answer = Promise.withResolvers<completionV1.CompleteResponse>();

  get answer(): Promise<completionV1.CompleteResponse> {
    return this.#answer.promise;
  }

  onAnswer(answer: completionV1.CompleteResponse): void {
    this.#answer.resolve(answer);
  }

  onEnd(outcome: StreamOutcome): void {
    this.#answer.reject(outcome.ok ? unexpected() : outcome.error);
  }

  onHead(): void {}

  onChunk(): void {}
}

/** Passes on what a listener of the port hears. */
class StreamReceiver implements CompletionReceiver {
  readonly #listener: CompletionListener;

  constructor(listener: CompletionListener) {
    this.#listener = listener;
  }

  onHead(head: completionV1.StreamHead): void {
    this.#listener.onHead(head);
  }

  onChunk(choices: readonly Buffer[]): void {
    this.#listener.onChunk(choices);
  }

  onEnd(outcome: StreamOutcome): void {
    this.#listener.onEnd(outcome);
  }

  onAnswer(): void {
    this.#listener.onEnd({ ok: false, error: unexpected() });
  }
}

/** At least 1, because 0 would say that there is no deadline. */
function toUint32(deadlineMs: number): number {
  return Math.max(1, Math.min(Math.ceil(deadlineMs), UINT32_MAX));
}

function unexpected(): AppError {
  return new AppError('INTERNAL_ERROR', { internalMessage: 'an answer of the other kind' });
}
