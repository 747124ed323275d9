import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { AppError, isWebhookMessageId, MINUTE_MS } from '@tollgate/core';

/** The secret of a system that signs what it sends; it has several while they rotate. */
export interface SignerSecret {
  readonly name: string;
  readonly secret: Buffer;
}

/** A secret as it is configured: `name:whsec_...`, with at least 24 bytes; else undefined. */
export function parseSignerSecret(item: string): SignerSecret | undefined {
  const match = /^([a-z0-9][a-z0-9-]{0,31}):whsec_([A-Za-z0-9+/]+={0,2})$/.exec(item);
  if (match === null) return undefined;
  const [, name = '', encoded = ''] = match;
  const secret = Buffer.from(encoded, 'base64');
  return secret.length < SECRET_BYTES_MIN ? undefined : { name, secret };
}

const SECRET_BYTES_MIN = 24;
/** The tolerance of Standard Webhooks 1.0: what was signed longer ago may be somebody's recording. */
const TOLERANCE_MS = 5 * MINUTE_MS;
const VERSION = 'v1,';

/** A signed body, and who is said to have signed it. */
export interface SignedRequest {
  readonly signer: string;
  readonly headers: IncomingHttpHeaders;
  /** Exactly as they arrived. */
  readonly bytes: Buffer;
}

/**
 * The id of the event, once one of the signer's secrets is found to have signed it after Standard
 * Webhooks 1.0. Throws UNAUTHORIZED with one message whatever is wrong, also for unknown signers.
 * Not by the library that signs: it reads the machine's clock, and takes bytes for text.
 */
export function verifySignature(
  secrets: readonly SignerSecret[],
  { signer, headers, bytes }: SignedRequest,
  now: number,
): string {
  const id = textOf(headers['webhook-id']);
  const timestamp = textOf(headers['webhook-timestamp']);
  const isFresh =
    /^\d{1,12}$/.test(timestamp) && Math.abs(now - Number(timestamp) * 1000) <= TOLERANCE_MS;
  if (!isFresh || !isWebhookMessageId(id)) throw unsigned();
  const signatures = textOf(headers['webhook-signature'])
    .split(' ')
    .filter((text) => text.startsWith(VERSION))
    .map((text) => Buffer.from(text.slice(VERSION.length), 'base64'));
  const isSigned = secrets.some(({ name, secret }) => {
    if (name !== signer) return false;
    const hmac = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(bytes);
    const expected = hmac.digest();
    return signatures.some(
      (given) => given.length === expected.length && timingSafeEqual(given, expected),
    );
  });
  if (!isSigned) throw unsigned();
  return id;
}

function textOf(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : '';
}

function unsigned(): AppError {
  return new AppError('UNAUTHORIZED', {
    publicMessage: 'The signature is missing, wrong or too old.',
  });
}
