/** RFC 6750 credentials; the scheme is case-insensitive. */
const BEARER = /^bearer +([\w.~+/=-]{1,4096})$/i;

/** The bearer secret of an Authorization header; undefined when absent or malformed. */
export function parseBearer(header: string | undefined): string | undefined {
  return header === undefined ? undefined : BEARER.exec(header)?.[1];
}
