const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const DATA = 'data:';
const EMPTY = Buffer.alloc(0);

/** A line of the stream was longer than the bound. */
export class LineTooLongError extends Error {
  override readonly name = 'LineTooLongError';
}

/** Reads server-sent events and keeps only their data: ids, names and comments mean nothing here. */
export interface SseReader {
  /** The data of every event that the chunk completes. Throws LineTooLongError. */
  push(chunk: Buffer): readonly string[];
  /** The data of an event that lacks its closing blank line. */
  flush(): readonly string[];
}

/**
 * Splits bytes, not text, so that a character cut by the network is whole again before it is
 * decoded. Takes LF and CRLF, several data lines in one event, and an end without a blank line.
 */
export function createSseReader(lineBytesMax: number): SseReader {
  let rest: Buffer = EMPTY;
  let data: string | undefined;

  const readLine = (bytes: Buffer, from: number, to: number, events: string[]) => {
    const end = to > from && bytes[to - 1] === CARRIAGE_RETURN ? to - 1 : to;
    if (end === from) {
      if (data !== undefined) events.push(data);
      data = undefined;
      return;
    }
    const line = bytes.toString('utf8', from, end);
    if (!line.startsWith(DATA)) return;
    const value = line.slice(line.charCodeAt(DATA.length) === 0x20 ? DATA.length + 1 : DATA.length);
    data = data === undefined ? value : `${data}\n${value}`;
    if (data.length > lineBytesMax) throw new LineTooLongError('a vendor event is too long');
  };

  return {
    push(chunk) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const events: string[] = [];
      // What was kept has no line feed in it: the search goes on behind it.
      let from = 0;
      let at = bytes.indexOf(LINE_FEED, rest.length);
      while (at >= 0) {
        readLine(bytes, from, at, events);
        from = at + 1;
        at = bytes.indexOf(LINE_FEED, from);
      }
      rest = from === 0 ? bytes : bytes.subarray(from);
      if (rest.length > lineBytesMax) throw new LineTooLongError('a vendor line is too long');
      return events;
    },
    flush() {
      const events: string[] = [];
      if (rest.length > 0) readLine(rest, 0, rest.length, events);
      rest = EMPTY;
      if (data !== undefined) events.push(data);
      data = undefined;
      return events;
    },
  };
}
