import type { VendorCall, VendorCompletion, VendorFailure, VendorFrame } from '../domain/vendor';

/** An HTTP request as a vendor wants it. */
export interface VendorRequest {
  /** Appended to the path of the channel's base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: readonly Buffer[];
}

/** Headers of an answer, names in lower case. */
export type VendorHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Reads one streamed answer. Throws VendorFailure when it makes no sense. */
export interface VendorStreamReader {
  push(chunk: Buffer): readonly VendorFrame[];
  /** What is kept of a line or an event whose end has not come. */
  readonly heldBytes: number;
  /** What the end of the body completes. */
  end(): readonly VendorFrame[];
}

/** Bounds of what is read from a vendor. */
export interface ReadLimits {
  /** Longest line or event of a stream. */
  readonly lineBytesMax: number;
  /** Longest Retry-After that is passed on. */
  readonly retryAfterMsMax: number;
}

/** A vendor's protocol as pure steps; each provider folder has one. */
export interface VendorProtocol {
  buildRequest(call: VendorCall): VendorRequest;
  /** Throws VendorFailure when the body is no answer. */
  parseCompletion(body: Buffer, call: VendorCall): VendorCompletion;
  createStreamReader(limits: ReadLimits, call: VendorCall): VendorStreamReader;
  /** Whether status and content type promise an answer. */
  checkHead(status: number, headers: VendorHeaders, stream: boolean): 'good' | 'bad_type' | 'bad';
  /** `nowMs` is wall time, for a Retry-After that is a date. */
  toFailure(
    status: number,
    headers: VendorHeaders,
    limits: ReadLimits,
    nowMs: number,
  ): VendorFailure;
}
