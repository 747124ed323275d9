import {
  AMOUNT,
  AS_IS,
  afterId,
  dated,
  ID,
  type MongoStore,
  named,
  type RecordForm,
  recordsOf,
} from '@tollgate/mongo';
import { type Claim, type OwnedClaim, unreadableClaim } from '../domain/claims';
import type { ClaimStore } from '../domain/ports';
import { COLLECTIONS } from './collections';

const CLAIM = {
  id: ID,
  accountId: named('account_id'),
  amount: AMOUNT,
  note: AS_IS,
  claimedAtMs: dated('claimed_at'),
  actorId: named('actor_id'),
} satisfies RecordForm<Claim>;

interface BesideClaim {
  /** Its credit may not be given yet; absent where nobody may have it any more. */
  readonly open: true | undefined;
}

/** Claims in the document store. They stay for ever: that is what makes them single. */
export function createClaimStore(mongo: MongoStore): ClaimStore {
  const claims = recordsOf<Claim, typeof CLAIM, BesideClaim>(
    mongo,
    COLLECTIONS.claims,
    CLAIM,
    ({ accountId }) => ({ open: accountId === undefined ? undefined : true }),
  );
  return {
    async keep(claim) {
      if (await claims.insert(claim)) return claim;
      const kept = await claims.find({ _id: claim.id });
      // The claim that stands in its way has no majority yet, or was just lost with its server.
      if (kept === undefined) throw unreadableClaim(claim.id);
      return kept;
    },
    async find(ids) {
      const found = ids.length === 0 ? [] : await claims.listStored({ _id: { $in: [...ids] } });
      return found.map(({ document, read }) => ({ id: document._id, read }));
    },
    async close(id) {
      await claims.update({ _id: id }, { $unset: { open: 1 } });
    },
    async listOpen(untilAtMs, { after, limit }) {
      const claimed_at = { $lte: new Date(untilAtMs) };
      const claimed = { open: true, claimed_at, ...afterId(after) } as const;
      const found = await claims.listStored(claimed, { sort: { _id: 1 }, limit });
      return found.map(({ document, read }) => ({
        id: document._id,
        accountId: document.account_id ?? '',
        read: () => requireOwned(read()),
      }));
    },
  };
}

function requireOwned(claim: Claim): OwnedClaim {
  const { accountId } = claim;
  if (accountId === undefined) throw new TypeError('an open claim that no account has');
  return { ...claim, accountId };
}
