import type { AppError, Clock, Timer } from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import type {
  CompletionCall,
  CompletionClient,
  CompletionStream,
  StreamOutcome,
} from '../clients/completion-client';
import type { Exchange } from '../http/exchange';
import { toFailureBody } from '../http/failure';
import { createSseWriter } from '../http/sse-writer';
import type { ByteBudget } from '../limits/byte-budget';
import { createFrameWriter, type FrameWriter, toFailureFrame } from './formats/openai/answer';

/** Bounds of a streamed answer, milliseconds. */
export interface StreamTimings {
  /** Silence after which a comment is sent. */
  readonly keepAliveMs: number;
  /** Without a head by then, status and headers are sent anyway: proxies cut silent connections. */
  readonly headWaitMs: number;
}

/** What one streamed answer needs. */
export interface StreamAnswerOptions {
  readonly client: CompletionClient;
  readonly input: completionV1.CompletionInput;
  readonly call: CompletionCall;
  readonly exchange: Exchange;
  readonly includeUsage: boolean;
  readonly toHeadHeaders: (head: completionV1.StreamHead) => Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly timings: StreamTimings;
  readonly readers: ByteBudget;
}

/** How the stream went, for counting. `gone` means that the client left first. */
export type StreamVerdict =
  | { readonly kind: 'done' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly error: AppError };

/**
 * Relays one stream.
 *
 * ```
 *             head, or headWaitMs          chunk…            end
 *  [waiting] ────────────────────▶ [open] ───────▶ [open] ────────▶ [over]
 *      │ failure: a real status       │ failure: an error frame        ▲
 *      └──────────────────────────────┴────────────────────────────────┘
 * ```
 *
 * Rejects with the failure while no byte has left, so that it becomes a real HTTP status.
 */
export function streamAnswer(options: StreamAnswerOptions): Promise<StreamVerdict> {
  const { client, exchange, clock, readers, timings } = options;
  const bounds = { keepAliveMs: timings.keepAliveMs, readers };
  return new Promise((resolve, reject: (error: AppError) => void) => {
    let running: CompletionStream | undefined;
    let headWait: Timer | undefined;
    let frames: FrameWriter | undefined;
    let over = false;

    const finish = (verdict: StreamVerdict) => {
      if (over) return;
      over = true;
      headWait?.cancel();
      resolve(verdict);
    };
    const sse = createSseWriter(exchange.response, clock, bounds, {
      onDrain: () => running?.resume(),
      onGone() {
        // Before anything else: every token that is made from now on is made for nobody.
        running?.cancel();
        finish({ kind: 'gone' });
      },
    });
    const open = (headers: Readonly<Record<string, string>>) => {
      headWait?.cancel();
      if (!sse.opened) sse.open({ ...exchange.headers, ...headers });
    };
    const endBadly = (error: AppError) => {
      if (sse.opened) {
        sse.end(toFailureFrame(toFailureBody(error, exchange.plain)));
        finish({ kind: 'failed', error });
        return;
      }
      over = true;
      headWait?.cancel();
      reject(error);
    };

    headWait = clock.schedule(timings.headWaitMs, () => {
      open({});
      sse.comment();
    });
    const listener = {
      onHead(head: completionV1.StreamHead) {
        if (over) return;
        frames = createFrameWriter(exchange.requestId, head);
        open(options.toHeadHeaders(head));
      },
      onChunk(choices: readonly Buffer[]) {
        if (over || frames === undefined) return;
        if (!sse.write(frames.chunk(choices))) running?.pause();
      },
      onEnd(outcome: StreamOutcome) {
        if (over) return;
        if (!outcome.ok) {
          endBadly(outcome.error);
          return;
        }
        frames ??= createFrameWriter(exchange.requestId, EMPTY_HEAD);
        open({});
        sse.end(frames.end(options.includeUsage ? outcome.usage : undefined));
        finish({ kind: 'done' });
      },
    };
    try {
      running = client.stream(options.input, options.call, listener);
    } catch (error) {
      headWait.cancel();
      over = true;
      reject(error as AppError);
    }
  });
}

/** A stream that ends well always had a head; this keeps the type honest. */
const EMPTY_HEAD: completionV1.StreamHead = { model: '', created: 0n, attempts: 0, channelId: '' };
