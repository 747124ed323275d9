import type { Effects } from './effects';

/** One way to be a bad or an unusual vendor. */
export interface FailureMode {
  /** One sentence, also in the README. */
  readonly description: string;
  readonly effects: Partial<Effects>;
}

const YEAR_SECONDS = 31_536_000;

function status(code: Exclude<Effects['status'], 200>, description: string): FailureMode {
  return { description, effects: { status: code } };
}

function mode(description: string, effects: Partial<Effects>): FailureMode {
  return { description, effects };
}

/** The closed table of everything that `fail` may name. Names of one request are combined. */
export const FAILURE_MODES = {
  'status:400': status(400, 'Answers 400 with a vendor error body.'),
  'status:401': status(401, 'Answers 401 with a vendor error body.'),
  'status:401_echo': mode('Answers 401 with the whole credential of the client in its text.', {
    status: 401,
    echoCredential: true,
  }),
  'status:403': status(403, 'Answers 403 with a vendor error body.'),
  'status:404': status(404, 'Answers 404 with a vendor error body.'),
  'status:408': status(408, 'Answers 408 with a vendor error body.'),
  'status:409': status(409, 'Answers 409 with a vendor error body.'),
  'status:413': status(413, 'Answers 413 with a vendor error body.'),
  'status:422': status(422, 'Answers 422 with a vendor error body.'),
  'status:429': status(429, 'Answers 429, with Retry-After when `retry_after` is set.'),
  'status:500': status(500, 'Answers 500 with a vendor error body.'),
  'status:502': status(502, 'Answers 502 with a vendor error body.'),
  'status:503': status(503, 'Answers 503, with Retry-After when `retry_after` is set.'),
  'status:504': status(504, 'Answers 504 with a vendor error body.'),
  'retry_after:year': mode('Answers 429 with a Retry-After of a year.', {
    status: 429,
    retryAfterSeconds: YEAR_SECONDS,
  }),
  'reset:before_head': mode('Resets the connection before the head.', {
    breakage: 'reset_before_head',
  }),
  'reset:after_head': mode('Resets the connection after a 200 head.', {
    breakage: 'reset_after_head',
  }),
  'reset:mid_stream': mode(
    'Resets after `cut_after_tokens` tokens (half of them by default), or half of a whole body.',
    { breakage: 'reset_mid_stream' },
  ),
  'reset:after_last_token': mode(
    'Resets after the last token: no finish, usage or [DONE]; of a whole body all but one byte.',
    { breakage: 'reset_after_last_token' },
  ),
  'hang:before_head': mode('Never answers.', { breakage: 'hang_before_head' }),
  'hang:after_head': mode('Sends a 200 head and nothing more.', { breakage: 'hang_after_head' }),
  'hang:mid_stream': mode('Falls silent after `cut_after_tokens` tokens (half by default).', {
    breakage: 'hang_mid_stream',
  }),
  'usage:none': mode('Leaves usage out, even when it was asked for.', { usage: 'none' }),
  'usage:twice': mode('Sends the usage frame twice.', { usage: 'twice' }),
  'usage:early': mode('Sends the usage frame before the text.', { usage: 'early' }),
  'usage:zero': mode('Reports 0 tokens.', { usage: 'zero' }),
  'usage:negative': mode('Reports negative tokens.', { usage: 'negative' }),
  'usage:fraction': mode('Reports fractions of tokens.', { usage: 'fraction' }),
  'usage:nan': mode('Reports the bare word NaN, which is no JSON.', { usage: 'nan' }),
  'usage:null': mode('Reports null for every count.', { usage: 'null' }),
  'usage:string': mode('Reports the counts as strings.', { usage: 'string' }),
  'usage:absurd': mode('Reports more tokens than there are atoms in the universe.', {
    usage: 'absurd',
  }),
  'done:twice': mode('Ends a stream with two [DONE] frames.', { done: 'twice' }),
  'done:none': mode('Ends a stream without [DONE].', { done: 'none' }),
  'body:empty': mode('Answers with empty content and 0 completion tokens.', { body: 'empty' }),
  'body:html': mode('Answers 200 with an HTML page.', { body: 'html' }),
  'body:long_line': mode('Answers with one token of 10 MB, in a stream one line.', {
    body: 'long_line',
  }),
  'body:split_utf8': mode('Splits every write inside a character, with several-byte characters.', {
    body: 'split_utf8',
  }),
  'body:invalid_json': mode('Breaks the JSON of the frame in the middle, or of the body.', {
    body: 'invalid_json',
  }),
  'body:error_frame': mode('Sends an error object in the middle of a stream, or with status 200.', {
    body: 'error_frame',
  }),
  'finish:content_filter': mode('Finishes with content_filter.', { finish: 'content_filter' }),
  'finish:length': mode('Finishes with length.', { finish: 'length' }),
  'frames:joined': mode('Writes the whole stream in one piece.', { writes: 'joined' }),
  'frames:crlf': mode('Ends the lines of a stream with CR LF.', { lineEnd: 'crlf' }),
  'frames:comments': mode('Puts a keep-alive comment before every frame.', { comments: true }),
} as const satisfies Readonly<Record<string, FailureMode>>;

/** A name of the table. */
export type FailureModeName = keyof typeof FAILURE_MODES;

/** Narrows text from a directive. */
export function isFailureModeName(text: string): text is FailureModeName {
  return Object.hasOwn(FAILURE_MODES, text);
}
