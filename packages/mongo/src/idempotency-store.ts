import { documentsOf } from './documents';
import type { HeldClaim, IdempotencyClaim, IdempotencyStore, KeptClaim } from './idempotency';
import type { MongoStore } from './store';

/** Which collection, and what its documents are like. */
export interface IdempotencyStoreOptions {
  /** Its index on `expiresAt` belongs to the service's migrations. */
  readonly collection: string;
  /** How answers are written; as documents of their own unless given. */
  readonly answers?: AnswerCodec;
}

/** How an answer is kept. */
export interface AnswerCodec {
  encode(answer: object): unknown;
  decode(kept: unknown): object;
}

interface ClaimDocument {
  readonly _id: string;
  readonly digest: string;
  readonly effectId: string;
  readonly claimedAt: Date;
  readonly expiresAt: Date;
  readonly answer?: unknown;
}

const AS_DOCUMENTS: AnswerCodec = { encode: (answer) => answer, decode: (kept) => kept as object };
/** When a claim was made that anybody may take over. */
const LONG_AGO = new Date(0);

/** Claims of one service, in a collection of its own. */
export function createIdempotencyStore(
  store: MongoStore,
  { collection, answers = AS_DOCUMENTS }: IdempotencyStoreOptions,
): IdempotencyStore {
  const claims = documentsOf<ClaimDocument>(store, collection);

  const toDocument = (claim: IdempotencyClaim): ClaimDocument => ({
    _id: claim.id,
    digest: claim.digest,
    effectId: claim.effectId,
    claimedAt: new Date(claim.claimedAtMs),
    expiresAt: new Date(claim.expiresAtMs),
  });

  const fromDocument = (document: ClaimDocument): KeptClaim => ({
    id: document._id,
    digest: document.digest,
    effectId: document.effectId,
    claimedAtMs: document.claimedAt.getTime(),
    expiresAtMs: document.expiresAt.getTime(),
    ...(document.answer !== undefined && { answer: answers.decode(document.answer) }),
  });

  const asHeld = (claim: HeldClaim) => ({
    _id: claim.id,
    effectId: claim.effectId,
    claimedAt: new Date(claim.claimedAtMs),
  });

  return {
    insert: (claim) => claims.insert(toDocument(claim)),
    async find(claimId) {
      const found = await claims.find({ _id: claimId });
      return found && fromDocument(found);
    },
    replace(seen, next) {
      const { _id: _, ...$set } = toDocument(next);
      const update =
        next.effectId === seen.effectId ? { $set } : { $set, $unset: { answer: '' as const } };
      return claims.update(asHeld(seen), update);
    },
    async answer({ id: _id, effectId }, answer) {
      await claims.update({ _id, effectId }, { $set: { answer: answers.encode(answer) } });
    },
    async release(claim) {
      await claims.remove(asHeld(claim));
    },
    async leaveToAnybody(claim) {
      await claims.update(asHeld(claim), { $set: { claimedAt: LONG_AGO } });
    },
  };
}

/**
 * Empties what the claims in a collection hold of an answer. Their keys stay claimed: no request
 * has the digest that is left, so that it is refused and the work is not done again.
 */
export async function forgetAnswers(
  store: MongoStore,
  collection: string,
  filter: Readonly<Record<string, unknown>>,
): Promise<void> {
  const forgotten = { $set: { digest: 'erased' }, $unset: { answer: '' as const } };
  await documentsOf(store, collection).updateMany(filter, forgotten);
}
