import { documentsOf, type MongoStore } from '@tollgate/mongo';
import type { RecentDenialsStore } from '../domain/ports';
import { NO_RECENT_DENIALS, type RecentDenials } from '../domain/sustained-denials';

interface RecentDenialsDocument extends RecentDenials {
  readonly _id: string;
  readonly revision: number;
  readonly expiresAt: Date;
}

/** Recent denials in `webhook_denials`, forgotten `retentionMs` after their last one. */
export function createRecentDenialsStore(
  store: MongoStore,
  options: { readonly retentionMs: number; readonly now: () => number },
): RecentDenialsStore {
  const documents = documentsOf<RecentDenialsDocument>(store, 'webhook_denials');
  return {
    async find(accountId, keyId) {
      const found = await documents.find({ _id: toDocumentId(accountId, keyId) });
      if (found === undefined) return { recent: NO_RECENT_DENIALS, revision: 0 };
      const { windows, reportedAtMs, report, revision } = found;
      return { recent: { windows, reportedAtMs, report }, revision };
    },
    update(accountId, keyId, recent, expectedRevision) {
      const _id = toDocumentId(accountId, keyId);
      const expiresAt = new Date(options.now() + options.retentionMs);
      const fields = { ...recent, revision: expectedRevision + 1, expiresAt };
      if (expectedRevision === 0) return documents.insert({ _id, ...fields });
      return documents.update({ _id, revision: expectedRevision }, { $set: fields });
    },
  };
}

function toDocumentId(accountId: string, keyId: string | null): string {
  return `${accountId} ${keyId ?? ''}`;
}
