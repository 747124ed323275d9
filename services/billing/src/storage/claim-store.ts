import { nano } from '@tollgate/core';
import { insertNew, type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
import type { Claim, OwnedClaim } from '../domain/claims';
import { type ClaimStore, unreadableClaim } from '../domain/ports';
import { actorOf, withActor } from './ledger-document';

export const CLAIMS = 'billing_claims';

interface ClaimDocument {
  readonly _id: string;
  /** Absent where nobody may have it any more. */
  readonly account_id?: string;
  readonly amount: bigint;
  readonly note: string;
  readonly claimed_at: Date;
  /** Absent where nobody is known, and of claims from before it was kept. */
  readonly actor_id?: string;
  /** Its credit may not be given yet. */
  readonly open?: true;
}

function toDocument(claim: Claim): ClaimDocument {
  const { id: _id, accountId, amount, note, claimedAtMs, actorId } = claim;
  const claimed = withActor({ _id, amount, note, claimed_at: new Date(claimedAtMs) }, actorId);
  return accountId === undefined ? claimed : { ...claimed, account_id: accountId, open: true };
}

function fromDocument(document: ClaimDocument): Claim {
  return {
    id: document._id,
    accountId: document.account_id,
    amount: nano(BigInt(document.amount)),
    note: document.note,
    claimedAtMs: document.claimed_at.getTime(),
    ...actorOf(document),
  };
}

/** Claims in the document store. They stay for ever: that is what makes them single. */
export function createClaimStore(mongo: MongoStore): ClaimStore {
  const claims = () => mongo.connection.collection<ClaimDocument>(CLAIMS);
  return {
    async keep(claim) {
      if (await insertNew(() => claims().insertOne(toDocument(claim)))) return claim;
      const kept = await withDatabaseFailures(() => claims().findOne({ _id: claim.id }));
      // Another writer's is on its way to a majority, or was just lost with its server.
      if (kept === null) throw unreadableClaim(claim.id);
      return fromDocument(kept);
    },
    async find(ids) {
      if (ids.length === 0) return [];
      const found = await withDatabaseFailures(() =>
        claims()
          .find({ _id: { $in: [...ids] } })
          .toArray(),
      );
      return found.map(fromDocument);
    },
    async close(id) {
      await withDatabaseFailures(() => claims().updateOne({ _id: id }, { $unset: { open: 1 } }));
    },
    async listOpen(until, { after, limit }) {
      const found = await withDatabaseFailures(() =>
        claims()
          .find({
            open: true,
            claimed_at: { $lte: new Date(until) },
            ...(after === undefined ? {} : { _id: { $gt: after } }),
          })
          .sort({ _id: 1 })
          .limit(limit)
          .toArray(),
      );
      return found.map(fromDocument).filter(isOwned);
    },
  };
}

function isOwned(claim: Claim): claim is OwnedClaim {
  return claim.accountId !== undefined;
}
