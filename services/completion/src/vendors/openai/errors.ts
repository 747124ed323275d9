import type { VendorFailure } from '../../domain/vendor';
import { kindOfStatus, refused } from '../protocol/failures';
import type { ReadBounds, VendorRefusal } from '../protocol/vendor-protocol';

/** The failure that a status means; a 404 is a model that the vendor does not have. */
export function toFailure(
  refusal: VendorRefusal,
  bounds: ReadBounds,
  nowMs: number,
): VendorFailure {
  return refused(kindOfStatus(refusal.status), refusal, bounds, nowMs);
}
