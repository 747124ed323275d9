import type { Principal } from '../../domain/principal';
import type { Idempotency } from '../route';

/** What a service whose records belong to accounts recognises a repeated request by. */
export function toIdempotency({ key, bodyDigest }: Idempotency) {
  return { idempotencyKey: key, bodyDigest };
}

/** Records of operators belong to no account, so the caller's is a part of the key. */
export function toOperatorIdempotency(
  { accountId }: Principal,
  { key, bodyDigest }: Idempotency,
): ReturnType<typeof toIdempotency> {
  return { idempotencyKey: key === '' ? '' : `${accountId}/${key}`, bodyDigest };
}
