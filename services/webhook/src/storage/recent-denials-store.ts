import { insertNew, type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
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
  const documents = () => store.connection.collection<RecentDenialsDocument>('webhook_denials');
  return {
    async find(accountId, keyId) {
      const found = await withDatabaseFailures(() =>
        documents().findOne({ _id: toDocumentId(accountId, keyId) }),
      );
      if (found === null) return { recent: NO_RECENT_DENIALS, revision: 0 };
      const { windows, reportedAtMs, report, revision } = found;
      return { recent: { windows, reportedAtMs, report }, revision };
    },
    async update(accountId, keyId, recent, expectedRevision) {
      const _id = toDocumentId(accountId, keyId);
      const expiresAt = new Date(options.now() + options.retentionMs);
      const fields = { ...recent, revision: expectedRevision + 1, expiresAt };
      if (expectedRevision > 0) {
        const written = await withDatabaseFailures(() =>
          documents().updateOne({ _id, revision: expectedRevision }, { $set: fields }),
        );
        return written.matchedCount === 1;
      }
      return insertNew(() => documents().insertOne({ _id, ...fields }));
    },
  };
}

function toDocumentId(accountId: string, keyId: string | null): string {
  return `${accountId} ${keyId ?? ''}`;
}
