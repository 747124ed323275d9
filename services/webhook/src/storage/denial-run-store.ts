import { isDuplicateKey, type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
import type { DenialRunStore } from '../domain/ports';
import { type DenialRun, EMPTY_RUN } from '../domain/sustained-denials';

interface RunDocument extends DenialRun {
  readonly _id: string;
  readonly revision: number;
  readonly expiresAt: Date;
}

/** Runs of denials in `webhook_denials`, forgotten `retentionMs` after their last one. */
export function createDenialRunStore(
  store: MongoStore,
  options: { readonly retentionMs: number; readonly now: () => number },
): DenialRunStore {
  const documents = () => store.connection.collection<RunDocument>('webhook_denials');
  return {
    async get(accountId, keyId) {
      const found = await withDatabaseFailures(() =>
        documents().findOne({ _id: toRunId(accountId, keyId) }),
      );
      if (found === null) return { run: EMPTY_RUN, revision: 0 };
      const { windows, reportedAtMs, report, revision } = found;
      return { run: { windows, reportedAtMs, report }, revision };
    },
    async replace(accountId, keyId, run, expectedRevision) {
      const _id = toRunId(accountId, keyId);
      const expiresAt = new Date(options.now() + options.retentionMs);
      const fields = { ...run, revision: expectedRevision + 1, expiresAt };
      if (expectedRevision > 0) {
        const written = await withDatabaseFailures(() =>
          documents().updateOne({ _id, revision: expectedRevision }, { $set: fields }),
        );
        return written.matchedCount === 1;
      }
      try {
        await documents().insertOne({ _id, ...fields });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        return withDatabaseFailures(() => Promise.reject(error));
      }
    },
  };
}

function toRunId(accountId: string, keyId: string | null): string {
  return `${accountId} ${keyId ?? ''}`;
}
