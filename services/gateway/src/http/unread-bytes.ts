import type { ByteBound } from '../bounds/byte-bound';
import type { HttpExchange } from './exchange';

/** What one answer holds for a client that does not take it, among what all answers hold. */
export interface UnreadBytes {
  /** Counts what waits now. */
  count(): void;
  /** Counts what waits once all of the answer is written, until its client has taken the last byte. */
  countEnd(): void;
}

/**
 * A client that takes a byte now and then is never cut as silent, so it is cut when all readers
 * together leave no room for what it leaves: its bytes would be taken from the other readers.
 */
export function createUnreadBytes(
  { onClose, response }: Pick<HttpExchange, 'onClose' | 'response'>,
  bound: ByteBound,
): UnreadBytes {
  let counted = 0;
  onClose(() => {
    bound.release(counted);
    counted = 0;
  });
  const count = () => {
    const more = response.writableLength - counted;
    counted += more;
    if (!bound.add(more) && more > 0) response.destroy();
  };
  return {
    count,
    countEnd() {
      if (counted === 0 && response.writableLength <= response.writableHighWaterMark) return;
      // A tick later, what the socket takes at once has left.
      setImmediate(() => {
        if (!response.closed) count();
      });
    },
  };
}
