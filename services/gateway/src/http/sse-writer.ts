import type { ServerResponse } from 'node:http';
import type { Clock, Timer } from '@tollgate/core';
import type { ByteBudget } from '../limits/byte-budget';
import { toRawHeaders } from './exchange';

/** Bounds of one event stream. */
export interface SseBounds {
  /** Silence after which a comment is sent, so that no proxy cuts the connection; milliseconds. */
  readonly keepAliveMs: number;
  /** What waits for the readers of all streams. */
  readonly readers: ByteBudget;
}

/** What a stream tells its source. */
export interface SseListener {
  /** The client takes bytes again after `write` answered false. */
  onDrain(): void;
  /** The client went away or was cut. Called at most once; nothing follows. */
  onGone(): void;
}

/** Writes one event stream. Every frame is finished text; no id, event or retry lines. */
export interface SseWriter {
  /** Status and headers; afterwards failures can only be frames. */
  open(headers: Readonly<Record<string, string>>): void;
  readonly opened: boolean;
  /** False when the client reads too slowly: stop until `onDrain`. */
  write(bytes: Buffer): boolean;
  comment(): void;
  /** Sends the last bytes and closes the stream. */
  end(bytes: Buffer): void;
}

const KEEP_ALIVE = ': keep-alive\n\n';

const SSE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};

/** Wraps a response that nothing was written to yet. */
export function createSseWriter(
  response: ServerResponse,
  clock: Clock,
  { keepAliveMs, readers }: SseBounds,
  listener: SseListener,
): SseWriter {
  let opened = false;
  let over = false;
  let lastWriteMs = 0;
  let keepAlive: Timer | undefined;
  let pending = 0;

  const finish = () => {
    over = true;
    keepAlive?.cancel();
    response.off('drain', onDrain);
  };
  /** Counts what the client has not taken; false when all streams together hold too much. */
  const countPending = (bytes: number) => {
    const more = bytes - pending;
    pending = bytes;
    return readers.count(more) || more <= 0;
  };
  const onDrain = () => {
    countPending(response.writableLength);
    if (!over) listener.onDrain();
  };
  response.on('drain', onDrain);
  response.once('close', () => {
    countPending(0);
    if (over) return;
    finish();
    listener.onGone();
  });

  const send = (chunk: Buffer | string): boolean => {
    lastWriteMs = clock.monotonicMs();
    if (response.write(chunk)) return true;
    // One whose bytes no budget covers is gone, as far as the others are concerned.
    if (!countPending(response.writableLength)) response.destroy();
    return false;
  };
  // One timer that looks back at the last write costs less than one timer for each write.
  const watchSilence = (delayMs: number) => {
    keepAlive = clock.schedule(delayMs, () => {
      const silentMs = clock.monotonicMs() - lastWriteMs;
      if (silentMs < keepAliveMs) {
        watchSilence(keepAliveMs - silentMs);
        return;
      }
      if (!response.writableNeedDrain) send(KEEP_ALIVE);
      watchSilence(keepAliveMs);
    });
  };

  return {
    get opened() {
      return opened;
    },
    open(headers) {
      opened = true;
      lastWriteMs = clock.monotonicMs();
      response.writeHead(200, toRawHeaders({ ...headers, ...SSE_HEADERS }));
      // With the first frame in the same turn, head and frame leave in one packet.
      setImmediate(() => {
        if (!over) response.flushHeaders();
      });
      watchSilence(keepAliveMs);
    },
    write: (bytes) => (over ? true : send(bytes)),
    comment() {
      if (!over) send(KEEP_ALIVE);
    },
    end(bytes) {
      if (over) return;
      finish();
      response.end(bytes);
    },
  };
}
