import type { JsonObject } from '@tollgate/core';
import { createParser } from 'eventsource-parser';
import type { AnswerPiece } from '../../domain/vendor';
import { unreadable } from './failures';
import { EVENT_VALUES_MAX, parseObject } from './json';
import type { PieceWriter } from './pieces';
import type { ReadBounds, VendorStreamReader } from './vendor-protocol';

/**
 * Reads a body of server-sent events. `takeEvent` returns true when the vendor said that nothing
 * follows; what comes after that is not read, nor what comes after an answer that was cut.
 */
export function createEventReader(
  bounds: ReadBounds,
  writer: PieceWriter,
  takeEvent: (data: string, pieces: AnswerPiece[]) => boolean,
): VendorStreamReader {
  let over = false;
  let written: AnswerPiece[] = [];
  const sse = createSseReader(bounds.lineBytesMax, (data) => {
    if (over) return;
    writer.noteEvent(data.length);
    over = takeEvent(data, written) || writer.isPastAsked;
  });
  const read = (step: () => void, pieces: AnswerPiece[]) => {
    if (over) return;
    written = pieces;
    try {
      step();
    } catch (error) {
      if (error instanceof EventTooLongError) throw unreadable(error.message);
      throw error;
    }
    if (over && writer.progress === 'none') {
      throw unreadable('the vendor’s stream had no answer in it');
    }
  };
  return {
    get heldBytes() {
      return sse.heldBytes;
    },
    get progress() {
      return over ? 'over' : writer.progress;
    },
    get isPastAsked() {
      return writer.isPastAsked;
    },
    push: (chunk, pieces) => read(() => sse.push(chunk), pieces),
    end: (pieces) => read(() => sse.end(), pieces),
  };
}

/** The object of one event of a stream. */
export function readEvent(data: string): JsonObject {
  const event = parseObject(data, EVENT_VALUES_MAX);
  if (event === undefined) throw unreadable('the vendor streamed an event that is no JSON object');
  return event;
}

/** An event, or a line whose end has not come, was longer than the bound. */
class EventTooLongError extends Error {
  override readonly name = 'EventTooLongError';
}

/** Reads server-sent events and keeps only their data: ids, names and comments mean nothing here. */
interface SseReader {
  /** At most this is kept of an event whose end has not come. */
  readonly heldBytes: number;
  /** Hands over the data of every event that the chunk completes. Throws EventTooLongError. */
  push(chunk: Buffer): void;
  /** The same for an event that lacks its closing blank line. */
  end(): void;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Hands the data of each event to `onData`, whatever the network made of the body. */
function createSseReader(bytesMax: number, onData: (data: string) => void): SseReader {
  const decoder = new TextDecoder();
  const parser = createParser({
    maxBufferSize: bytesMax,
    onEvent: ({ data }) => onData(data),
    onError({ type }) {
      if (type !== 'max-buffer-size-exceeded') return;
      throw new EventTooLongError('a vendor event is too long');
    },
  });
  let heldBytes = 0;
  return {
    get heldBytes() {
      return heldBytes;
    },
    push(chunk) {
      const blank = endOfLastBlankLine(chunk);
      heldBytes = blank === 0 ? heldBytes + chunk.length : chunk.length - blank;
      parser.feed(decoder.decode(chunk, { stream: true }));
    },
    end() {
      heldBytes = 0;
      parser.feed(`${decoder.decode()}\n\n`);
    },
  };
}

/**
 * Nothing is kept of what stands in front of a blank line. One that two chunks share is not found:
 * then more is counted than is kept, until the next one.
 */
function endOfLastBlankLine(chunk: Buffer): number {
  for (let at = chunk.lastIndexOf(LINE_FEED); at > 0; at = chunk.lastIndexOf(LINE_FEED, at - 1)) {
    const before = chunk[at - 1] === CARRIAGE_RETURN ? chunk[at - 2] : chunk[at - 1];
    if (before === LINE_FEED) return at + 1;
  }
  return 0;
}
