import type { ServerResponse } from 'node:http';
import type { Clock, Timer } from '@tollgate/core';
import { toRawHeaders } from './exchange';

/** Bounds of one event stream, milliseconds. */
export interface SseTimings {
  /** Silence after which a comment is sent, so that no proxy cuts the connection. */
  readonly keepAliveMs: number;
  /** How long the client may take no byte before the stream ends. */
  readonly stallMs: number;
}

/** What a stream tells its source. */
export interface SseListener {
  /** The client takes bytes again after `write` answered false. */
  onDrain(): void;
  /** The client went away, or took no byte for too long. Called at most once; nothing follows. */
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

export const SSE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};

/** Wraps a response that nothing was written to yet. */
export function createSseWriter(
  response: ServerResponse,
  clock: Clock,
  timings: SseTimings,
  listener: SseListener,
): SseWriter {
  let opened = false;
  let over = false;
  let lastWriteMs = 0;
  let keepAlive: Timer | undefined;
  let stall: Timer | undefined;

  const finish = () => {
    over = true;
    keepAlive?.cancel();
    stall?.cancel();
    response.off('drain', onDrain);
  };
  const onDrain = () => {
    stall?.cancel();
    stall = undefined;
    if (!over) listener.onDrain();
  };
  response.on('drain', onDrain);
  response.once('close', () => {
    if (over) return;
    finish();
    listener.onGone();
  });

  const watchStall = (pending: number) => {
    stall = clock.schedule(timings.stallMs, () => {
      const left = response.writableLength;
      // A slow reader is still a reader: it goes on as long as it takes something.
      if (left < pending) watchStall(left);
      else response.destroy();
    });
  };
  const send = (chunk: Buffer | string): boolean => {
    lastWriteMs = clock.monotonicMs();
    const flowing = response.write(chunk);
    if (!flowing && stall === undefined) watchStall(response.writableLength);
    return flowing;
  };
  // One timer that looks back at the last write costs less than one timer for each write.
  const watchSilence = (delayMs: number) => {
    keepAlive = clock.schedule(delayMs, () => {
      const silentMs = clock.monotonicMs() - lastWriteMs;
      if (silentMs < timings.keepAliveMs) {
        watchSilence(timings.keepAliveMs - silentMs);
        return;
      }
      if (!response.writableNeedDrain) send(KEEP_ALIVE);
      watchSilence(timings.keepAliveMs);
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
      watchSilence(timings.keepAliveMs);
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
