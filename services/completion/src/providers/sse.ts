const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const DATA = 'data:';
const EMPTY = Buffer.alloc(0);

/** A line of the stream was longer than the bound. */
export class LineTooLongError extends Error {
  override readonly name = 'LineTooLongError';
}

/** Reads server-sent events and keeps only their data: ids, names and comments mean nothing here. */
export interface SseReader {
  /** What is kept of a line or an event whose end has not come. */
  readonly heldBytes: number;
  /** The data of every event that the chunk completes. Throws LineTooLongError. */
  push(chunk: Buffer): readonly string[];
  /** The data of an event that lacks its closing blank line. */
  flush(): readonly string[];
}

/**
 * Decodes whole lines only, so that a character cut by the network is whole again before it is
 * decoded. Takes LF and CRLF, several data lines in one event, and an end without a blank line.
 */
export function createSseReader(lineBytesMax: number): SseReader {
  let rest: Buffer = EMPTY;
  let data: string | undefined;

  const readLine = (text: string, from: number, to: number, events: string[]) => {
    const end = to > from && text.charCodeAt(to - 1) === CARRIAGE_RETURN ? to - 1 : to;
    if (end === from) {
      if (data !== undefined) events.push(data);
      data = undefined;
      return;
    }
    if (!text.startsWith(DATA, from)) return;
    const behind = from + DATA.length;
    const value = text.slice(text.charCodeAt(behind) === SPACE ? behind + 1 : behind, end);
    data = data === undefined ? value : `${data}\n${value}`;
    if (data.length > lineBytesMax) throw new LineTooLongError('a vendor event is too long');
  };

  return {
    get heldBytes() {
      return rest.length + (data?.length ?? 0);
    },
    push(chunk) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const events: string[] = [];
      // What was kept has no line feed in it: the last one stands in the chunk, or nowhere.
      const decoded = bytes.lastIndexOf(LINE_FEED) + 1;
      rest = decoded === 0 ? bytes : bytes.subarray(decoded);
      if (rest.length > lineBytesMax) throw new LineTooLongError('a vendor line is too long');
      if (decoded === 0) return events;
      const text = bytes.toString('utf8', 0, decoded);
      for (let from = 0; from < text.length; ) {
        const to = text.indexOf('\n', from);
        readLine(text, from, to, events);
        from = to + 1;
      }
      return events;
    },
    flush() {
      const events: string[] = [];
      const text = rest.toString();
      rest = EMPTY;
      if (text !== '') readLine(text, 0, text.length, events);
      if (data !== undefined) events.push(data);
      data = undefined;
      return events;
    },
  };
}
