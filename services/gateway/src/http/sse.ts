import type { Clock, Timer } from '@tollgate/core';
import type { ByteBound } from '../bounds/byte-bound';
import { type HttpExchange, toRawHeaders } from './exchange';
import { createUnreadBytes } from './unread-bytes';

/** Bounds of one event stream. */
export interface SseBounds {
  /** Unopened by then, it opens by itself: proxies cut silent connections; milliseconds. */
  readonly headWaitMs: number;
  /** Silence after which `keepAlive` is sent, for the same reason; milliseconds. */
  readonly keepAliveMs: number;
  /** Bytes that wait for the readers of all answers. */
  readonly unreadBytes: ByteBound;
}

/** The signals of a stream to its source. */
export interface SseListener {
  /** The client takes bytes again after `write` answered false. */
  onDrain(): void;
  /** The client went away or was cut. Called at most once; nothing follows. */
  onGone(): void;
}

/**
 * One answer as an event stream. Frames are finished text; no id, event or retry lines are added.
 *
 * ```
 *             open, or headWaitMs            end, or the client went
 *  [waiting] ─────────────────────▶ [open] ─────────────────────────▶ [over]
 *      └──── handed back, or the client went ────────────────────────▶ [over]
 * ```
 */
export interface EventStream {
  /** While it waits, the answer can still be one with another status. */
  readonly phase: 'waiting' | 'open' | 'over';
  /** Status and headers, unless they have left; afterwards failures can only be frames. */
  open(headers: Readonly<Record<string, string>>): void;
  /** False when the client reads too slowly: stop until `onDrain`. */
  write(bytes: Buffer): boolean;
  /** Sends the last bytes and closes the stream. */
  end(bytes: Buffer): void;
  /** Writes nothing and leaves the response to whoever answers otherwise. */
  handBack(): void;
}

export const SSE_TYPE = 'text/event-stream; charset=utf-8';

const SSE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': SSE_TYPE,
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};

/** Takes over an exchange that has no answer yet; `keepAlive` is what it says when it is silent. */
export function createEventStream(
  exchange: Pick<HttpExchange, 'response' | 'headers' | 'onClose'>,
  clock: Clock,
  { headWaitMs, keepAliveMs, unreadBytes }: SseBounds,
  listener: SseListener,
  keepAlive: string,
): EventStream {
  const { response } = exchange;
  let phase: EventStream['phase'] = 'waiting';
  let lastWriteMs = 0;
  const unread = createUnreadBytes(exchange, unreadBytes);

  const finish = () => {
    phase = 'over';
    timer.cancel();
    response.off('drain', onDrain);
  };
  const onDrain = () => {
    unread.count();
    if (phase !== 'over') listener.onDrain();
  };
  response.on('drain', onDrain);
  exchange.onClose(() => {
    if (phase === 'over') return;
    finish();
    listener.onGone();
  });

  const send = (chunk: Buffer | string): boolean => {
    lastWriteMs = clock.monotonicMs();
    if (response.write(chunk)) return true;
    unread.count();
    return false;
  };
  // One timer that looks back at the last write costs less than one timer for each write.
  const watchSilence = (delayMs: number): Timer =>
    clock.schedule(delayMs, () => {
      const silentMs = clock.monotonicMs() - lastWriteMs;
      if (silentMs >= keepAliveMs && !response.writableNeedDrain) send(keepAlive);
      timer = watchSilence(silentMs >= keepAliveMs ? keepAliveMs : keepAliveMs - silentMs);
    });
  const open = (headers: Readonly<Record<string, string>>) => {
    if (phase !== 'waiting') return;
    phase = 'open';
    timer.cancel();
    lastWriteMs = clock.monotonicMs();
    response.writeHead(200, toRawHeaders({ ...exchange.headers, ...headers, ...SSE_HEADERS }));
    // With the first frame in the same tick, head and frame leave in one packet.
    setImmediate(() => {
      if (phase !== 'over') response.flushHeaders();
    });
    timer = watchSilence(keepAliveMs);
  };
  let timer = clock.schedule(headWaitMs, () => {
    open({});
    send(keepAlive);
  });

  return {
    get phase() {
      return phase;
    },
    open,
    write: (bytes) => phase === 'over' || send(bytes),
    end(bytes) {
      if (phase === 'over') return;
      finish();
      response.end(bytes);
      unread.countEnd();
    },
    handBack: finish,
  };
}
