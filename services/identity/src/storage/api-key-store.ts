import { type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
import mongoose from 'mongoose';
import type { ApiKeyStore } from '../domain/ports';
import {
  API_KEY_FIELDS,
  API_KEY_OPTIONAL_FIELDS,
  type ApiKeyDocument,
  fromKeyDocument,
  toKeyDocument,
} from './api-key-document';
import { COLLECTIONS } from './collections';
import { defineModel, toUpdate } from './define-model';
import { insertOnce } from './insert-once';

export function createApiKeyStore(store: MongoStore): ApiKeyStore {
  const keys = defineModel<ApiKeyDocument>(store, COLLECTIONS.apiKeys, API_KEY_FIELDS);

  const findOne = async (filter: Record<string, unknown>) => {
    const found = await withDatabaseFailures(() => keys.findOne(filter).lean<ApiKeyDocument>());
    return found === null ? undefined : fromKeyDocument(found);
  };
  const findMany = async (filter: Record<string, unknown>, limit: number) => {
    const found = await withDatabaseFailures(() =>
      keys.find(filter).sort({ _id: -1 }).limit(limit).lean<ApiKeyDocument[]>(),
    );
    return found.map(fromKeyDocument);
  };

  return {
    insert: (key) => insertOnce(keys, toKeyDocument(key)),
    find: (id) => findOne({ _id: id }),
    findByPublicId: (publicId) => findOne({ publicId }),
    findByLegacyDigest: (digests) =>
      findOne({ legacyDigest: mongoose.trusted({ $in: [...digests] }) }),
    async update(next) {
      // Last uses are written beside the revision: an update must not set an older one.
      const { lastUsedAt, ...document } = toKeyDocument(next);
      const result = await withDatabaseFailures(() =>
        keys.updateOne(
          { _id: next.id, rev: next.rev - 1 },
          toUpdate(document, API_KEY_OPTIONAL_FIELDS),
        ),
      );
      return result.matchedCount === 1;
    },
    async clearOutbox({ id, rev }) {
      await withDatabaseFailures(() =>
        keys.updateOne({ _id: id, rev }, { $set: { outbox: [] }, $unset: { outboxPending: 1 } }),
      );
    },
    list({ accountId, createdBy, window: { limit, beforeId } }) {
      const filter = {
        revokedAt: null,
        ...(accountId === undefined ? {} : { accountId }),
        ...(createdBy === undefined ? {} : { createdBy }),
        ...(beforeId === undefined ? {} : { _id: mongoose.trusted({ $lt: beforeId }) }),
      };
      return findMany(filter, limit + 1);
    },
    async countLive(accountId, countMax) {
      const found = await withDatabaseFailures(() =>
        keys.find({ accountId, revokedAt: null }, { _id: 1 }).limit(countMax).lean(),
      );
      return found.length;
    },
    async touch(lastUsedAt) {
      const writes = [...lastUsedAt].map(([id, at]) => ({
        updateOne: { filter: { _id: id }, update: { $max: { lastUsedAt: new Date(at) } } },
      }));
      await withDatabaseFailures(() => keys.bulkWrite(writes, { ordered: false }));
    },
    listPending: (limit) => findMany({ outboxPending: true }, limit),
    listExpiring({ after, until, daysBefore, limit }) {
      const expiresAt = mongoose.trusted({ $gt: new Date(after), $lte: new Date(until) });
      const filter = {
        revokedAt: null,
        'settings.disabled': false,
        'settings.expiresAt': expiresAt,
        expiryNotices: mongoose.trusted({ $ne: daysBefore }),
      };
      return findMany(filter, limit);
    },
  };
}
