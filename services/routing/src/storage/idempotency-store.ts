import { isDuplicateKey, type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
import type { ClaimOutcome, IdempotencyClaim } from '../domain/idempotency';
import type { IdempotencyStore } from '../domain/ports';

interface ClaimDocument {
  readonly _id: string;
  readonly digest: string;
  readonly effectId: string;
  readonly claimedAt: Date;
  readonly runsUntil: Date;
  readonly expiresAt: Date;
  readonly answer?: object;
}

const ATTEMPTS_MAX = 3;
/** A claim that somebody may take over at once. */
const ABANDONED = new Date(0);

/** Claims in the collection `routing_idempotency`, until they expire. */
export function createIdempotencyStore(store: MongoStore): IdempotencyStore {
  const claims = () => store.connection.collection<ClaimDocument>('routing_idempotency');

  const insert = async (claim: IdempotencyClaim): Promise<boolean> => {
    try {
      await claims().insertOne(toDocument(claim));
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      return withDatabaseFailures(() => Promise.reject(error));
    }
  };

  /** Takes the claim over from what was seen there; undefined when somebody was faster. */
  const takeOver = async (
    claim: IdempotencyClaim,
    present: ClaimDocument,
  ): Promise<ClaimOutcome | undefined> => {
    const expired = present.expiresAt.getTime() <= claim.claimedAtMs;
    const { _id, ...fresh } = toDocument(claim);
    const update = expired
      ? { $set: fresh, $unset: { answer: '' as const } }
      : { $set: { claimedAt: fresh.claimedAt, runsUntil: fresh.runsUntil } };
    const unchanged = { _id, claimedAt: present.claimedAt, effectId: present.effectId };
    const written = await withDatabaseFailures(() => claims().updateOne(unchanged, update));
    if (written.matchedCount === 0) return undefined;
    return { state: 'claimed', effectId: expired ? claim.effectId : present.effectId };
  };

  const attempt = async (claim: IdempotencyClaim): Promise<ClaimOutcome | undefined> => {
    if (await insert(claim)) return { state: 'claimed', effectId: claim.effectId };
    const present = await withDatabaseFailures(() => claims().findOne({ _id: claim.id }));
    if (present === null) return undefined;
    // The index that expires records runs only now and then: the date decides.
    if (present.expiresAt.getTime() <= claim.claimedAtMs) return takeOver(claim, present);
    if (present.digest !== claim.digest) return { state: 'mismatch' };
    if (present.answer !== undefined) return { state: 'answered', answer: present.answer };
    const running = present.runsUntil.getTime() > claim.claimedAtMs;
    return running ? { state: 'running' } : takeOver(claim, present);
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
      await withDatabaseFailures(() => claims().updateOne({ _id: id }, { $set: { answer } }));
    },
    async release(id, effectId) {
      await withDatabaseFailures(() => claims().deleteOne({ _id: id, effectId }));
    },
    async abandon(id, effectId) {
      await withDatabaseFailures(() =>
        claims().updateOne(
          { _id: id, effectId },
          { $set: { claimedAt: ABANDONED, runsUntil: ABANDONED } },
        ),
      );
    },
  };
}

function toDocument(claim: IdempotencyClaim): ClaimDocument {
  const { id, digest, effectId, claimedAtMs, runsUntilMs, expiresAtMs } = claim;
  return {
    _id: id,
    digest,
    effectId,
    claimedAt: new Date(claimedAtMs),
    runsUntil: new Date(runsUntilMs),
    expiresAt: new Date(expiresAtMs),
  };
}
