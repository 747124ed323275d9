import { nano } from '@tollgate/core';
import { documentsOf, type MongoStore } from '@tollgate/mongo';
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
  const claims = documentsOf<ClaimDocument>(mongo, CLAIMS);
  return {
    async keep(claim) {
      if (await claims.insert(toDocument(claim))) return claim;
      const kept = await claims.find({ _id: claim.id });
      // Another writer's is on its way to a majority, or was just lost with its server.
      if (kept === undefined) throw unreadableClaim(claim.id);
      return fromDocument(kept);
    },
    async find(ids) {
      if (ids.length === 0) return [];
      const found = await claims.list({ _id: { $in: [...ids] } });
      return found.map(fromDocument);
    },
    async close(id) {
      await claims.update({ _id: id }, { $unset: { open: 1 } });
    },
    async listOpen(until, { after, limit }) {
      const page = after === undefined ? {} : { _id: { $gt: after } };
      const claimed = { open: true as const, claimed_at: { $lte: new Date(until) }, ...page };
      const found = await claims.list(claimed, { sort: { _id: 1 }, limit });
      return found.map(fromDocument).filter(isOwned);
    },
  };
}

function isOwned(claim: Claim): claim is OwnedClaim {
  return claim.accountId !== undefined;
}
