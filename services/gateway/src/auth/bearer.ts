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
  /** The public part of what was sent, or the preview of the key; empty when there is none. */
  readonly presented: string;
  /** Empty when no key is known by what was sent. */
  readonly accountId: string;
  readonly keyId: string;
}

/** The one 401 of every bearer, with its reason for operators. */
export class BearerRefusedError extends AppError {
  readonly bearer: BearerFaultDetails;

  constructor(bearer: BearerFaultDetails) {
    const { accountId, fault, keyId, presented } = bearer;
    const known = [presented, keyId, accountId].filter((text) => text !== '');
    super('UNAUTHORIZED', { internalMessage: [`refused: ${fault}`, ...known].join(', ') });
    this.bearer = bearer;
  }
}

/** A refusal that says nothing of a key, because none is known. */
export function refuseBearer(fault: BearerFault, header?: string): BearerRefusedError {
  return new BearerRefusedError({
    fault,
    presented: publicPartOf(header),
    accountId: '',
    keyId: '',
  });
}

const BEARER_PREFIX = /^bearer +/i;
const PUBLIC_ID = new RegExp(`^${API_KEY_PREFIX}[0-9a-z]{16}(?=_)`);
/** As in the keys of most vendors, such as sk-. */
const VENDOR_PREFIX = /^[a-z]{2,8}[-_]/;

/** The public id of a key that `publicPartOf` found; undefined for anything else. */
export function publicIdIn(publicPart: string): string | undefined {
  return SHOWN_PUBLIC_ID.exec(publicPart)?.[1];
}

const SHOWN_PUBLIC_ID = new RegExp(`^${API_KEY_PREFIX}([0-9a-z]{16})…$`);

/** What names a key and opens nothing. Of anything else at most the letters before its first dash. */
export function publicPartOf(header = ''): string {
  const text = header.replace(BEARER_PREFIX, '');
  const [known] = PUBLIC_ID.exec(text) ?? VENDOR_PREFIX.exec(text) ?? [];
  return known === undefined ? '' : `${known}…`;
}
