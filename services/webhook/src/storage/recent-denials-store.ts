import { AS_IS, ID, type MongoStore, type RecordForm, recordsOf } from '@tollgate/mongo';
import type { RecentDenialsStore } from '../domain/ports';
import { NO_RECENT_DENIALS, type RecentDenials } from '../domain/sustained-denials';
import { COLLECTIONS } from './collections';

interface StoredDenials extends RecentDenials {
  readonly id: string;
  readonly revision: number;
}

const DENIALS = {
  id: ID,
  windows: AS_IS,
  reportedAtMs: AS_IS,
  report: AS_IS,
  revision: AS_IS,
} satisfies RecordForm<StoredDenials>;

/** Recent denials, forgotten `retentionMs` after their last one. */
export function createRecentDenialsStore(
  mongo: MongoStore,
  options: { readonly retentionMs: number; readonly now: () => number },
): RecentDenialsStore {
  const denials = recordsOf<StoredDenials, typeof DENIALS, { readonly expiresAt: Date }>(
    mongo,
    COLLECTIONS.recentDenials,
    DENIALS,
    () => ({ expiresAt: new Date(options.now() + options.retentionMs) }),
  );
  return {
    async find(accountId, keyId) {
      const found = await denials.find({ _id: toDocumentId(accountId, keyId) });
      if (found === undefined) return { recent: NO_RECENT_DENIALS, revision: 0 };
      const { windows, reportedAtMs, report, revision } = found;
      return { recent: { windows, reportedAtMs, report }, revision };
    },
    update(accountId, keyId, recent, expectedRevision) {
      const id = toDocumentId(accountId, keyId);
      const next = { id, ...recent, revision: expectedRevision + 1 };
      if (expectedRevision === 0) return denials.insert(next);
      return denials.replace({ _id: id, revision: expectedRevision }, next);
    },
  };
}

function toDocumentId(accountId: string, keyId: string | null): string {
  return `${accountId} ${keyId ?? ''}`;
}
