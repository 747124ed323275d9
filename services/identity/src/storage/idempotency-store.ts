import { type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
import {
  type ClaimOutcome,
  IDEMPOTENCY_RUNNING_MS,
  type IdempotencyClaim,
} from '../domain/idempotency';
import type { IdempotencyStore } from '../domain/ports';
import { COLLECTIONS } from './collections';
import { defineModel } from './define-model';
import { insertOnce } from './insert-once';

interface IdempotencyDocument {
  readonly _id: string;
  readonly digest: string;
  readonly effectId: string;
  readonly claimedAt: Date;
  readonly expiresAt: Date;
  readonly answer?: string;
}

const ATTEMPTS_MAX = 3;
/** A claim that somebody may take over at once. */
const ABANDONED = new Date(0);

export function createIdempotencyStore(store: MongoStore): IdempotencyStore {
  const claims = defineModel<IdempotencyDocument>(store, COLLECTIONS.idempotency, {
    digest: String,
    effectId: String,
    claimedAt: Date,
    expiresAt: Date,
    answer: String,
  });

  /** Takes the claim over from what was seen there; undefined when somebody was faster. */
  const takeOver = async (
    claim: IdempotencyClaim,
    present: IdempotencyDocument,
  ): Promise<ClaimOutcome | undefined> => {
    const expired = present.expiresAt.getTime() <= claim.claimedAt;
    const next = expired ? toDocument(claim) : { claimedAt: new Date(claim.claimedAt) };
    const unchanged = { _id: claim.id, claimedAt: present.claimedAt, effectId: present.effectId };
    const { _id, ...fields } = { _id: claim.id, ...next };
    const result = await withDatabaseFailures(() =>
      claims.updateOne(
        unchanged,
        expired ? { $set: fields, $unset: { answer: 1 } } : { $set: fields },
      ),
    );
    if (result.matchedCount === 0) return undefined;
    return { state: 'claimed', effectId: expired ? claim.effectId : present.effectId };
  };

  const attempt = async (claim: IdempotencyClaim): Promise<ClaimOutcome | undefined> => {
    if ((await insertOnce(claims, toDocument(claim))) === 'inserted') {
      return { state: 'claimed', effectId: claim.effectId };
    }
    const present = await withDatabaseFailures(() =>
      claims.findOne({ _id: claim.id }).lean<IdempotencyDocument>(),
    );
    if (present === null) return undefined;
    // The index that expires records runs only now and then: the date decides.
    if (present.expiresAt.getTime() <= claim.claimedAt) return takeOver(claim, present);
    if (present.digest !== claim.digest) return { state: 'mismatch' };
    if (present.answer !== undefined) return { state: 'answered', answer: present.answer };
    const runsUntil = present.claimedAt.getTime() + IDEMPOTENCY_RUNNING_MS;
    return runsUntil > claim.claimedAt ? { state: 'running' } : takeOver(claim, present);
  };

  return {
    async claim(claim) {
      for (let count = 0; count < ATTEMPTS_MAX; count += 1) {
        const outcome = await attempt(claim);
        if (outcome !== undefined) return outcome;
      }
      return { state: 'running' };
    },
    async answer(id, answer) {
      await withDatabaseFailures(() => claims.updateOne({ _id: id }, { $set: { answer } }));
    },
    async release(id, effectId) {
      await withDatabaseFailures(() => claims.deleteOne({ _id: id, effectId }));
    },
    async abandon(id, effectId) {
      await withDatabaseFailures(() =>
        claims.updateOne({ _id: id, effectId }, { $set: { claimedAt: ABANDONED } }),
      );
    },
  };
}

function toDocument(claim: IdempotencyClaim): IdempotencyDocument {
  const { id, digest, effectId, claimedAt, expiresAt } = claim;
  return {
    _id: id,
    digest,
    effectId,
    claimedAt: new Date(claimedAt),
    expiresAt: new Date(expiresAt),
  };
}
