import type { IncomingHttpHeaders } from 'node:http';
import {
  API_KEY_PREFIX,
  AppError,
  type BearerFault,
  hasApiKeyPrefix,
  parseApiKey,
} from '@tollgate/core';

/** RFC 6750 credentials; the scheme is case-insensitive. */
const BEARER = /^bearer +([\w.~+/=-]{1,4096})$/i;

/** The bearer secret of an Authorization header; undefined when absent or malformed. */
export function parseBearer(header: string | undefined): string | undefined {
  return header === undefined ? undefined : BEARER.exec(header)?.[1];
}

/** The kind of a bearer secret, judged by its text alone. */
export type BearerShape = 'api_key' | 'broken_api_key' | 'access_token' | 'other';

const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Sorts a bearer secret; `other` may be a key that was issued before the present shape. */
export function bearerShapeOf(bearer: string): BearerShape {
  if (hasApiKeyPrefix(bearer)) {
    return parseApiKey(bearer) === undefined ? 'broken_api_key' : 'api_key';
  }
  return TOKEN.test(bearer) ? 'access_token' : 'other';
}

/** What is known of a bearer that was refused. Its sender is told nothing of it. */
export interface BearerFaultDetails {
  readonly fault: BearerFault;
  /**
   * The public part of what was sent, the preview of the key, or the id of whose session it was;
   * empty when there is none.
   */
  readonly presented: string;
  /** Empty when no key is known by what was sent. */
  readonly accountId: string;
  readonly keyId: string;
  /** A sentence about the slip that the text itself shows, such as quotation marks around the key. */
  readonly slip?: string;
}

/** The one 401 of every bearer, the same for whoever sent it, with its reason for operators. */
export class BearerRefusedError extends AppError {
  readonly details: BearerFaultDetails;

  constructor(details: BearerFaultDetails) {
    const { accountId, fault, keyId, presented, slip } = details;
    const ids = [presented, keyId, accountId, slip ?? ''].filter((text) => text !== '');
    super('UNAUTHORIZED', { internalMessage: [`refused: ${fault}`, ...ids].join(', ') });
    this.details = details;
  }
}

/** A refusal that says nothing of a key, because none is known. */
export function refusalOfBearer(fault: BearerFault, header?: string): BearerRefusedError {
  const slip = fault === 'malformed' ? findSlip(header) : undefined;
  return new BearerRefusedError({
    fault,
    presented: publicPartOf(header),
    accountId: '',
    keyId: '',
    ...(slip === undefined ? {} : { slip }),
  });
}

/** Headers in which other services take a key; /v1/messages and its count take the first. */
const KEY_HEADERS = ['x-api-key', 'api-key'] as const;

/** No bearer came; a key in a header that the path does not read is named to operators. */
export function refusalOfMissing(headers: IncomingHttpHeaders): BearerRefusedError {
  const name = KEY_HEADERS.find((each) => headers[each] !== undefined);
  if (name === undefined) return refusalOfBearer('missing');
  const presented = publicPartOf(String(headers[name]));
  const slip =
    `The API key came in the header ${name}, which this path does not read: send ` +
    'Authorization: Bearer KEY.';
  return new BearerRefusedError({ fault: 'missing', presented, accountId: '', keyId: '', slip });
}

const QUOTES = '"\'`';
/** The dots of a preview; three in one character come as the bytes of UTF-8. */
const DOTS = String.raw`(?:\.{2,3}|…|\u00e2\u0080\u00a6)`;

/** What people send in place of a key, in words for who is asked why it was refused. */
const SLIPS: readonly (readonly [shape: RegExp, sentence: string])[] = [
  [/^bearer *$/i, 'The API key is empty: nothing follows Bearer.'],
  [/^bearer +bearer\b/i, 'The word Bearer stands before the API key twice: send it once.'],
  [
    new RegExp(`^(?:bearer +)?[${QUOTES}]`, 'i'),
    'The API key is in quotation marks: send it without them.',
  ],
  [
    /^(?:bearer +)?(?:\$\w|\$?\{|<|%\w+%$)/i,
    'The name of a variable was sent in place of the API key: it was not filled in.',
  ],
  [
    new RegExp(`^(?:bearer +)?${API_KEY_PREFIX}[0-9a-z]*${DOTS}$`, 'i'),
    'This is the preview of an API key: the key itself is shown once, when it is made.',
  ],
  [
    new RegExp(`^(?:bearer +)?${API_KEY_PREFIX}[0-9a-z]{0,16}_?$`, 'i'),
    'The API key is cut off: its first part alone was sent.',
  ],
  [
    new RegExp(`^${API_KEY_PREFIX}`),
    'The word Bearer is missing before the API key: send Authorization: Bearer KEY.',
  ],
  [
    new RegExp(`^bearer +${API_KEY_PREFIX}\\S*\\s`, 'i'),
    'There is a space in the API key, or something after it.',
  ],
];

function findSlip(header = ''): string | undefined {
  const [, sentence] = SLIPS.find(([shape]) => shape.test(header)) ?? [];
  return sentence;
}

const AROUND = new RegExp(`^(?:[${QUOTES}]*bearer +)*[${QUOTES}]*`, 'i');
/** The first part of a key, whole or with a slip, or as much of it as a preview has. */
const PUBLIC_ID = new RegExp(
  `^${API_KEY_PREFIX}(?:[0-9a-z]{15,17}(?=_)|[0-9a-z]{8,16}(?=(?:${DOTS}|[${QUOTES}])?$))`,
);
/** The prefix that the keys of most vendors have, such as sk-. */
const VENDOR_PREFIX = /^[a-z]{2,8}[-_]/;

/** The public id of a key, or its beginning, that `publicPartOf` found; undefined otherwise. */
export function publicIdIn(publicPart: string): string | undefined {
  return SHOWN_PUBLIC_ID.exec(publicPart)?.[1];
}

const SHOWN_PUBLIC_ID = new RegExp(`^${API_KEY_PREFIX}([0-9a-z]{8,17})…$`);

/** What names a key and opens nothing; of a text that is no key the vendor's prefix at most. */
export function publicPartOf(header = ''): string {
  const text = header.replace(AROUND, '');
  const [beginning] = PUBLIC_ID.exec(text) ?? VENDOR_PREFIX.exec(text) ?? [];
  return beginning === undefined ? '' : `${beginning}…`;
}
