import { DAY_MS, eachLimit, withoutUndefined } from '@tollgate/core';
import {
  AS_IS,
  beforeId,
  beginningWith,
  codecOf,
  dated,
  ID,
  type MongoStore,
  type RecordForm,
  recordsOf,
  withDatabaseFailures,
} from '@tollgate/mongo';
import { type ApiKey, isSwitchedOff } from '../domain/api-key';
import { keyEventChangesPrincipal } from '../domain/events';
import type { KeySettings } from '../domain/key-settings';
import type { ApiKeyStore } from '../domain/ports';
import { COLLECTIONS } from './collections';
import { createOutboxStore, marksOf, type OutboxMarks } from './outbox-store';

/** Its `settings.disabled` is true when either switch is off: 0.1.0 reads it so. */
interface StoredKey extends ApiKey {
  /** The account's own switch. */
  readonly disabledByAccount: boolean;
}

const SETTINGS = {
  name: AS_IS,
  scopes: AS_IS,
  models: AS_IS,
  pools: AS_IS,
  allowedIps: AS_IS,
  expiresAt: dated('expiresAt'),
  maxBudget: AS_IS,
  budgetPeriod: AS_IS,
  ...eachLimit(() => AS_IS),
  disabled: AS_IS,
  metadata: AS_IS,
} satisfies RecordForm<KeySettings>;

const KEY = {
  id: ID,
  accountId: AS_IS,
  settings: { codec: codecOf<KeySettings, typeof SETTINGS>(SETTINGS) },
  preview: AS_IS,
  publicId: AS_IS,
  digest: AS_IS,
  previousDigest: AS_IS,
  legacyDigest: AS_IS,
  disabledByOperator: AS_IS,
  disabledByAccount: AS_IS,
  previousExpiresAt: dated('previousExpiresAt'),
  createdBy: AS_IS,
  createdAt: dated('createdAt'),
  lastUsedAt: dated('lastUsedAt'),
  rotationCount: AS_IS,
  lastRotatedAt: dated('lastRotatedAt'),
  lastRotationId: AS_IS,
  revokedAt: dated('revokedAt'),
  expiryNotices: AS_IS,
  rev: AS_IS,
  outbox: AS_IS,
} satisfies RecordForm<StoredKey>;

interface BesideKey extends OutboxMarks {
  /** When a revoked key's record is deleted. */
  readonly purgeAt: Date | undefined;
}

/**
 * Null finds what has no such member by the index alone, which `$exists` does not; the type of a
 * document, which never has it, knows no null.
 */
const NOT_REVOKED = { revokedAt: null as never } as const;

/** How long the record of a revoked key is kept, for questions about it, milliseconds. */
const PURGE_AFTER_MS = 90 * DAY_MS;

export function createApiKeyStore(mongo: MongoStore): ApiKeyStore {
  const keys = recordsOf<StoredKey, typeof KEY, BesideKey>(
    mongo,
    COLLECTIONS.apiKeys,
    KEY,
    ({ revokedAt, outbox }) => ({
      purgeAt: revokedAt === undefined ? undefined : new Date(revokedAt + PURGE_AFTER_MS),
      ...marksOf(outbox, keyEventChangesPrincipal),
    }),
  );
  type Query = Parameters<typeof keys.list>;

  const findOne = async (filter: Query[0]): Promise<ApiKey | undefined> => {
    const found = await keys.find(filter);
    return found && fromStored(found);
  };
  const list = async (...query: Query): Promise<ApiKey[]> =>
    (await keys.list(...query)).map(fromStored);
  const listStored = async (...query: Query) =>
    (await keys.listStored(...query)).map(({ document, read }) => ({
      document,
      read: () => fromStored(read()),
    }));

  return {
    ...createOutboxStore({ listStored, update: keys.update }),
    insert: (key) => keys.insert(toStored(key)),
    find: (id) => findOne({ _id: id }),
    findByPublicId: (publicId) => findOne({ publicId }),
    async findLike(beginning, near) {
      const firstTwo = { sort: { publicId: 1 }, limit: 2 } as const;
      const found = [
        ...(await list({ publicId: beginningWith(beginning) }, firstTwo)),
        ...(near.length === 0 ? [] : await list({ publicId: { $in: [...near] } }, firstTwo)),
      ];
      // One that lacks its last character alone is found by both.
      const [only, ...more] = new Map(found.map((key) => [key.id, key])).values();
      return more.length === 0 ? only : undefined;
    },
    findByLegacyDigest: (digests) => findOne({ legacyDigest: { $in: [...digests] } }),
    update: (next) =>
      // Last uses are written without a new revision: an update must not set an older one.
      keys.replace({ _id: next.id, rev: next.rev - 1 }, toStored(next), ['lastUsedAt']),
    list({ accountId, createdBy, window }) {
      const own = withoutUndefined({ accountId, createdBy });
      const filter = { ...NOT_REVOKED, ...own, ...beforeId(window.beforeId) };
      return list(filter, { sort: { _id: -1 }, limit: window.limit + 1 });
    },
    listUnerased: (accountId, limit) =>
      // In the order of its index, which has the erased ones apart.
      list({ accountId, preview: { $gt: '' } }, { sort: { preview: 1 }, limit }),
    countPresent: (accountId, countMax) =>
      keys.count({ accountId, ...NOT_REVOKED }, { limit: countMax }),
    async touch(lastUsedAt) {
      const writes = [...lastUsedAt].map(([id, atMs]) => ({
        updateOne: { filter: { _id: id }, update: { $max: { lastUsedAt: new Date(atMs) } } },
      }));
      await withDatabaseFailures(() => keys.collection().bulkWrite(writes, { ordered: false }));
    },
    listExpiring({ fromAtMs, untilAtMs, daysBefore, exceptIds, limit }) {
      const filter = {
        _id: { $nin: [...exceptIds] },
        ...NOT_REVOKED,
        'settings.disabled': false,
        'settings.expiresAt': { $gte: new Date(fromAtMs), $lte: new Date(untilAtMs) },
        expiryNotices: { $ne: daysBefore },
      };
      return list(filter, { sort: { 'settings.expiresAt': 1 }, limit });
    },
  };
}

function toStored(key: ApiKey): StoredKey {
  const settings = { ...key.settings, disabled: isSwitchedOff(key) };
  return { ...key, settings, disabledByAccount: key.settings.disabled };
}

function fromStored({ disabledByAccount, ...key }: StoredKey): ApiKey {
  return { ...key, settings: { ...key.settings, disabled: disabledByAccount } };
}
