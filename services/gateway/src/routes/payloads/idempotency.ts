import type { IncomingHttpHeaders } from 'node:http';
import { type Idempotency, sha256Hex } from '@tollgate/core';
import type { Principal } from '../../auth/principal';
import { invalidField } from '../../http/errors';
import { IDEMPOTENCY_KEY_HEADER, readIdempotencyKey } from '../../http/idempotency-key';
import type { IdempotencyRule } from '../operation';

/** Reads the key and digests the body, so that the same key with another body is noticed. */
export function readIdempotency(
  headers: IncomingHttpHeaders,
  rule: IdempotencyRule | undefined,
  body: unknown,
): Idempotency {
  const taken = rule === 'required' || rule === 'optional';
  const key = taken ? readIdempotencyKey(headers) : undefined;
  if (key === undefined) {
    if (rule === 'required') throw invalidField(IDEMPOTENCY_KEY_HEADER, 'is required.');
    return { key: '', bodyDigest: '' };
  }
  return { key, bodyDigest: sha256Hex(canonical(body)) };
}

/** JSON with fields in one order, so that equal bodies have equal digests. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`);
  return `{${fields.join(',')}}`;
}

/** The name under which a service with records of accounts recognises a repeated request. */
export function toIdempotency({ key, bodyDigest }: Idempotency) {
  return { idempotencyKey: key, bodyDigest };
}

/** Records of operators belong to no account, so the operator's own is a part of the key. */
export function toOperatorIdempotency(
  { accountId }: Principal,
  { key, bodyDigest }: Idempotency,
): ReturnType<typeof toIdempotency> {
  return { idempotencyKey: key === '' ? '' : `${accountId}/${key}`, bodyDigest };
}

/**
 * How an answer is marked that comes again for its Idempotency-Key. The first one showed a secret,
 * which is kept nowhere: whoever did not get it is told the remedy.
 */
export function toReplay(
  replayed: boolean,
  secret: string,
  remedy: string,
): { readonly replayed: boolean; readonly message?: string } {
  if (!replayed) return { replayed };
  const message = `This was done by an earlier request with this Idempotency-Key, which was answered with ${secret}: shown once and kept nowhere. If that answer was lost, ${remedy}.`;
  return { replayed, message };
}

export const ROTATE_AGAIN = 'rotate it once more with a new key';
