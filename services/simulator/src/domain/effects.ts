import type { VendorStatus } from './vendor-error';

/** Where an answer breaks, and whether the connection is reset or left hanging. */
export type Breakage =
  | 'none'
  | 'reset_before_head'
  | 'reset_after_head'
  | 'reset_mid_stream'
  | 'reset_after_last_token'
  | 'hang_before_head'
  | 'hang_after_head'
  | 'hang_mid_stream';

/** The token counts that the answer claims. */
export type UsageReport =
  | 'exact'
  | 'none'
  | 'twice'
  | 'early'
  | 'zero'
  | 'negative'
  | 'fraction'
  | 'nan'
  | 'null'
  | 'string'
  | 'absurd';

/** The body in place of an ordinary answer. */
export type BodyKind =
  | 'answer'
  | 'empty'
  | 'html'
  | 'long_line'
  | 'split_utf8'
  | 'invalid_json'
  | 'error_frame';

/** Everything in which an answer may differ from a vendor's good one. */
export interface Effects {
  readonly status: VendorStatus | 200;
  /** Puts the client's credential into the error text, as careless vendors do. */
  readonly echoCredential: boolean;
  readonly breakage: Breakage;
  readonly usage: UsageReport;
  readonly done: 'once' | 'twice' | 'none';
  readonly body: BodyKind;
  readonly finish: 'natural' | 'content_filter' | 'length';
  readonly writes: 'each' | 'joined';
  readonly lineEnd: 'lf' | 'crlf';
  readonly comments: boolean;
  readonly retryAfterSeconds: number | undefined;
}

/** A vendor at its best. */
export const GOOD_ANSWER: Effects = Object.freeze({
  status: 200,
  echoCredential: false,
  breakage: 'none',
  usage: 'exact',
  done: 'once',
  body: 'answer',
  finish: 'natural',
  writes: 'each',
  lineEnd: 'lf',
  comments: false,
  retryAfterSeconds: undefined,
});
