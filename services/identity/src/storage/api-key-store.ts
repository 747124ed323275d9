import { type BudgetPeriod, DAY_MS, type Nano, nano, type Scope } from '@tollgate/core';
import { type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
import mongoose, { Schema, type SchemaDefinition } from 'mongoose';
import { type ApiKey, isSwitchedOff } from '../domain/api-key';
import { type KeyEvent, keyEventChangesPrincipal } from '../domain/events';
import type { KeySettings } from '../domain/key-settings';
import type { ApiKeyStore } from '../domain/ports';
import {
  COLLECTIONS,
  defineDocuments,
  defined,
  fromDate,
  toDate,
  toUpdate,
} from './document-model';
import { createOutboxStore, type OutboxMarks } from './outbox-store';

interface KeySettingsDocument {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly models: readonly string[];
  readonly pools: readonly string[];
  readonly allowedIps: readonly string[];
  readonly expiresAt?: Date;
  readonly maxBudget?: bigint;
  readonly budgetPeriod: BudgetPeriod;
  readonly requestsPerMinute?: number;
  readonly requestsPerDay?: number;
  readonly concurrentRequests?: number;
  readonly disabled: boolean;
  readonly metadata: Readonly<Record<string, string>>;
}

interface ApiKeyDocument extends OutboxMarks {
  readonly _id: string;
  readonly accountId: string;
  readonly settings: KeySettingsDocument;
  readonly preview: string;
  readonly publicId?: string;
  readonly digest?: string;
  readonly previousDigest?: string;
  readonly legacyDigest?: string;
  readonly disabledByOperator?: boolean;
  /** The account's own switch: `settings.disabled` as stored is true when either disabled the key. */
  readonly disabledByAccount?: boolean;
  readonly previousExpiresAt?: Date;
  readonly createdBy?: string;
  readonly createdAt: Date;
  readonly lastUsedAt?: Date;
  readonly rotationCount: number;
  readonly lastRotatedAt?: Date;
  readonly lastRotationId?: string;
  readonly revokedAt?: Date;
  /** When a revoked key's record is deleted. */
  readonly purgeAt?: Date;
  readonly expiryNotices: readonly number[];
  readonly rev: number;
  readonly outbox: readonly KeyEvent[];
}

const SETTINGS = new Schema(
  {
    name: String,
    scopes: [String],
    models: [String],
    pools: [String],
    allowedIps: [String],
    expiresAt: Date,
    maxBudget: Schema.Types.BigInt,
    budgetPeriod: String,
    requestsPerMinute: Number,
    requestsPerDay: Number,
    concurrentRequests: Number,
    disabled: Boolean,
    metadata: Object,
  },
  { _id: false, strict: 'throw', minimize: false },
);

const API_KEY_FIELDS: SchemaDefinition = {
  accountId: String,
  settings: SETTINGS,
  preview: String,
  publicId: String,
  digest: String,
  previousDigest: String,
  legacyDigest: String,
  disabledByOperator: Boolean,
  disabledByAccount: Boolean,
  previousExpiresAt: Date,
  createdBy: String,
  createdAt: Date,
  lastUsedAt: Date,
  rotationCount: Number,
  lastRotatedAt: Date,
  lastRotationId: String,
  revokedAt: Date,
  purgeAt: Date,
  expiryNotices: [Number],
  rev: Number,
  outbox: [{ type: Object, _id: false }],
  outboxPending: Boolean,
  gatewaysPending: Boolean,
};

/** Fields that an update removes when the key does not have them. */
const API_KEY_OPTIONAL_FIELDS = [
  'publicId',
  'digest',
  'previousDigest',
  'legacyDigest',
  'previousExpiresAt',
  'createdBy',
  'lastRotatedAt',
  'lastRotationId',
  'revokedAt',
  'purgeAt',
  'outboxPending',
] as const;

type Sort = Readonly<Record<string, 1 | -1>>;

/** Sorts behind every character of a public id. */
const AFTER_ANY = '~';

export function createApiKeyStore(store: MongoStore): ApiKeyStore {
  const keys = defineDocuments<ApiKeyDocument>(store, COLLECTIONS.apiKeys, API_KEY_FIELDS);

  const findOne = async (filter: Record<string, unknown>) => {
    const found = await keys.find(filter);
    return found && fromKeyDocument(found);
  };
  const findMany = async (filter: Record<string, unknown>, sort: Sort, limit: number) => {
    const found = await keys.list(filter, { sort, limit });
    return found.map(fromKeyDocument);
  };

  return {
    ...createOutboxStore(keys, fromKeyDocument),
    insert: (key) => keys.insert(toKeyDocument(key)),
    find: (id) => findOne({ _id: id }),
    findByPublicId: (publicId) => findOne({ publicId }),
    async findLike(beginning, near) {
      const begins = mongoose.trusted({ $gte: beginning, $lt: `${beginning}${AFTER_ANY}` });
      const isNear = mongoose.trusted({ $in: [...near] });
      const found = [
        ...(await findMany({ publicId: begins }, { publicId: 1 }, 2)),
        ...(near.length === 0 ? [] : await findMany({ publicId: isNear }, { publicId: 1 }, 2)),
      ];
      // One that lacks its last character alone is found by both.
      const [only, ...more] = new Map(found.map((key) => [key.id, key])).values();
      return more.length === 0 ? only : undefined;
    },
    findByLegacyDigest: (digests) =>
      findOne({ legacyDigest: mongoose.trusted({ $in: [...digests] }) }),
    update(next) {
      // Last uses are written without a new revision: an update must not set an older one.
      const { lastUsedAt, ...document } = toKeyDocument(next);
      const update = toUpdate(document, API_KEY_OPTIONAL_FIELDS);
      return keys.update({ _id: next.id, rev: next.rev - 1 }, update);
    },
    list({ accountId, createdBy, window: { limit, beforeId } }) {
      const filter = {
        revokedAt: null,
        ...(accountId === undefined ? {} : { accountId }),
        ...(createdBy === undefined ? {} : { createdBy }),
        ...(beforeId === undefined ? {} : { _id: mongoose.trusted({ $lt: beforeId }) }),
      };
      return findMany(filter, { _id: -1 }, limit + 1);
    },
    listUnerased: (accountId, limit) =>
      findMany({ accountId, preview: mongoose.trusted({ $ne: '' }) }, { _id: -1 }, limit),
    async countPresent(accountId, countMax) {
      const options = { projection: { _id: 1 }, limit: countMax } as const;
      return (await keys.list({ accountId, revokedAt: null }, options)).length;
    },
    async touch(lastUsedAt) {
      const writes = [...lastUsedAt].map(([id, at]) => ({
        updateOne: { filter: { _id: id }, update: { $max: { lastUsedAt: new Date(at) } } },
      }));
      await withDatabaseFailures(() => keys.model.bulkWrite(writes, { ordered: false }));
    },
    listExpiring({ from, until, daysBefore, exceptIds, limit }) {
      const expiresAt = mongoose.trusted({ $gte: new Date(from), $lte: new Date(until) });
      const filter = {
        _id: mongoose.trusted({ $nin: [...exceptIds] }),
        revokedAt: null,
        'settings.disabled': false,
        'settings.expiresAt': expiresAt,
        expiryNotices: mongoose.trusted({ $ne: daysBefore }),
      };
      return findMany(filter, { 'settings.expiresAt': 1 }, limit);
    },
  };
}

/** How long the record of a revoked key is kept, for questions about it, milliseconds. */
const PURGE_AFTER_MS = 90 * DAY_MS;

function toKeyDocument(key: ApiKey): ApiKeyDocument {
  const { id, settings, revokedAt, outbox, ...rest } = key;
  return defined({
    ...rest,
    _id: id,
    // The query for notices and earlier versions know `settings.disabled` alone.
    settings: toSettingsDocument({ ...settings, disabled: isSwitchedOff(key) }),
    disabledByAccount: settings.disabled,
    previousExpiresAt: toDate(key.previousExpiresAt),
    createdAt: new Date(key.createdAt),
    lastUsedAt: toDate(key.lastUsedAt),
    lastRotatedAt: toDate(key.lastRotatedAt),
    revokedAt: toDate(revokedAt),
    purgeAt: revokedAt === undefined ? undefined : new Date(revokedAt + PURGE_AFTER_MS),
    outbox,
    outboxPending: outbox.length > 0 ? (true as const) : undefined,
    gatewaysPending: outbox.some(keyEventChangesPrincipal) ? (true as const) : undefined,
  });
}

function fromKeyDocument(document: ApiKeyDocument): ApiKey {
  const settings = fromSettingsDocument(document.settings);
  const { disabledByAccount = false, disabledByOperator = false } = document;
  const { publicId, digest, previousDigest, legacyDigest, createdBy, lastRotationId } = document;
  return {
    id: document._id,
    accountId: document.accountId,
    settings: disabledByOperator ? { ...settings, disabled: disabledByAccount } : settings,
    preview: document.preview,
    publicId,
    digest,
    previousDigest,
    legacyDigest,
    disabledByOperator,
    previousExpiresAt: fromDate(document.previousExpiresAt),
    createdBy,
    createdAt: document.createdAt.getTime(),
    lastUsedAt: fromDate(document.lastUsedAt),
    rotationCount: document.rotationCount,
    lastRotatedAt: fromDate(document.lastRotatedAt),
    lastRotationId,
    revokedAt: fromDate(document.revokedAt),
    expiryNotices: document.expiryNotices,
    rev: document.rev,
    outbox: document.outbox,
  };
}

function toSettingsDocument(settings: KeySettings): KeySettingsDocument {
  const maxBudget: bigint | undefined = settings.maxBudget;
  return defined({ ...settings, maxBudget, expiresAt: toDate(settings.expiresAt) });
}

function fromSettingsDocument(document: KeySettingsDocument): KeySettings {
  const { expiresAt, maxBudget, requestsPerMinute, requestsPerDay, ...rest } = document;
  return {
    ...rest,
    expiresAt: fromDate(expiresAt),
    maxBudget: toNano(maxBudget),
    requestsPerMinute,
    requestsPerDay,
    concurrentRequests: document.concurrentRequests,
  };
}

function toNano(value: bigint | undefined): Nano | undefined {
  return value === undefined ? undefined : nano(BigInt(value));
}
