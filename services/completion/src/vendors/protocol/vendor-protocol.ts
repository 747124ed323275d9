import type { ResponseHeaders } from '@tollgate/egress';
import type { AnswerPiece, VendorCall, VendorCompletion, VendorFailure } from '../../domain/vendor';

/** An HTTP request as a vendor wants it. */
export interface VendorRequest {
  /** Appended to the path of the channel's base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: readonly Buffer[];
}

/** The headers of any request, with those that only its protocol has. */
export function requestHeaders(
  { requestId, stream }: VendorCall,
  ofProtocol: VendorRequest['headers'],
): VendorRequest['headers'] {
  return {
    ...ofProtocol,
    'content-type': 'application/json',
    accept: stream ? 'text/event-stream' : 'application/json',
    'user-agent': 'tollgate',
    'x-request-id': requestId,
  };
}

/**
 * How far an answer is. `begun`: something of it was read; `finished`: every choice has ended, and
 * only counts may follow; `over`: the vendor said that nothing follows.
 */
export type AnswerProgress = 'none' | 'begun' | 'finished' | 'over';

/**
 * Reads the body of one answer. Throws VendorFailure when it makes no sense; what came before that
 * is in `pieces`, however the network cut the body.
 */
export interface AnswerReader<Piece> {
  push(chunk: Buffer, pieces: Piece[]): void;
  /** What the end of the body completes. */
  end(pieces: Piece[]): void;
  /** The bytes of a vendor's event whose end has not come. */
  readonly heldBytes: number;
  readonly progress: AnswerProgress;
  /** The vendor went on past the tokens that were asked for: what came before that is the answer. */
  readonly isPastAsked: boolean;
}

/** Reads one streamed answer. */
export type VendorStreamReader = AnswerReader<AnswerPiece>;

/** Bounds of one exchange, milliseconds. Silence within the body is bounded by the connection. */
export interface AnswerTimeouts {
  /** From the call to the moment when a connection takes the request. */
  readonly connectionMs: number;
  /** From the call to its turn, where it has to wait in the queue of its account. */
  readonly queueMs: number;
  /** From sending to the head of the answer. */
  readonly headMs: number;
  /** From sending to the first event; undefined for an answer that is not streamed. */
  readonly firstEventMs: number | undefined;
  /** From the call to the last byte. */
  readonly totalMs: number;
}

/** Bounds of what is read from a vendor. */
export interface ReadBounds {
  /** Longest line or event of a stream. */
  readonly lineBytesMax: number;
  /** Longest Retry-After that is passed on. */
  readonly retryAfterMsMax: number;
}

/** A response whose head promises no answer. */
export interface VendorRefusal {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /**
   * Its beginning. For `toFailure` empty unless the head's verdict was `explained`; the log of
   * refusals gets it in any case.
   */
  readonly body: Buffer;
}

/** A vendor's protocol as pure steps; each vendor's folder has one. */
export interface VendorProtocol {
  /** Throws VendorFailure when the protocol cannot say what the call asks. */
  buildRequest(call: VendorCall): VendorRequest;
  /** Throws VendorFailure when the body is no answer. */
  parseCompletion(body: Buffer, call: VendorCall): VendorCompletion;
  createStreamReader(bounds: ReadBounds, call: VendorCall): VendorStreamReader;
  /** `now` is for a Retry-After that is a date. */
  toFailure(refusal: VendorRefusal, bounds: ReadBounds, now: number): VendorFailure;
}
