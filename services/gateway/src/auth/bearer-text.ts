import { claimsKeyShape, parseApiKey } from '@tollgate/core';

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
export function shapeOf(bearer: string): BearerShape {
  if (claimsKeyShape(bearer)) {
    return parseApiKey(bearer) === undefined ? 'broken_api_key' : 'api_key';
  }
  return TOKEN.test(bearer) ? 'access_token' : 'other';
}
