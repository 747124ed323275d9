import { type Clock, createBoundedMap, type JsonObject, type Logger } from '@tollgate/core';
import type { VendorCall, VendorWords } from '../domain/vendor';
import { errorMemberOf } from './protocol/json';
import type { VendorRefusal } from './protocol/vendor-protocol';
import { wordsOf } from './redact';

/** Tells operators what vendors say when they refuse; clients never see it. */
export interface RefusalLog {
  /** Returns the words, which are logged unless the channel said the same a moment ago. */
  note(call: VendorCall, refusal: VendorRefusal): VendorWords;
  /** The same of the `error` member of an event that ended a stream. */
  noteStreamed(call: VendorCall, error: JsonObject): VendorWords;
}

/** A channel that refuses every call is worth one line in this time for each status. */
const INTERVAL_MS = 10_000;
/** Channels and statuses that are remembered. */
const REMEMBERED_MAX = 1_000;

interface Remembered {
  readonly loggedMs: number;
  suppressed: number;
}

/** Starts without any memory. */
export function createRefusalLog(options: {
  readonly logger: Logger;
  readonly clock: Clock;
}): RefusalLog {
  const remembered = createBoundedMap<string, Remembered>(REMEMBERED_MAX);
  const tell = (
    call: VendorCall,
    status: number | undefined,
    error: JsonObject | undefined,
  ): VendorWords => {
    const { candidate, requestId } = call;
    const { id: channelId, credential } = candidate.channel;
    const key = `${channelId} ${status ?? 'stream'}`;
    const monotonicNowMs = options.clock.monotonicMs();
    const before = remembered.get(key);
    const words = { status, ...wordsOf(error, credential, call) };
    if (before !== undefined && monotonicNowMs - before.loggedMs < INTERVAL_MS) {
      before.suppressed += 1;
      return words;
    }
    remembered.set(key, { loggedMs: monotonicNowMs, suppressed: 0 });
    options.logger.warn(
      {
        channelId,
        requestId,
        status,
        suppressed: before?.suppressed ?? 0,
        ...(words.error === '' ? {} : { vendorError: words.error }),
        ...(words.message === '' ? {} : { vendorMessage: words.message }),
      },
      'a vendor refused a call',
    );
    return words;
  };
  return {
    note: (call, { body, status }) => tell(call, status, errorMemberOf(body)),
    noteStreamed: (call, error) => tell(call, undefined, error),
  };
}
