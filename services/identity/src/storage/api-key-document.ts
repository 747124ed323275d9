import { type Nano, nano } from '@tollgate/core';
import { Schema, type SchemaDefinition } from 'mongoose';
import type { ApiKey } from '../domain/api-key';
import type { KeyFact } from '../domain/facts';
import type { BudgetPeriod, KeySettings } from '../domain/key-settings';
import type { Scope } from '../domain/scopes';
import { defined, fromDate, toDate } from './define-model';

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

export interface ApiKeyDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly settings: KeySettingsDocument;
  readonly preview: string;
  readonly publicId?: string;
  readonly digest?: string;
  readonly previousDigest?: string;
  readonly legacyDigest?: string;
  readonly previousExpiresAt?: Date;
  readonly createdBy?: string;
  readonly createdAt: Date;
  readonly lastUsedAt?: Date;
  readonly rotationCount: number;
  readonly lastRotatedAt?: Date;
  readonly lastRotationId?: string;
  readonly revokedAt?: Date;
  /** When a revoked key's record goes. */
  readonly purgeAt?: Date;
  readonly expiryNotices: readonly number[];
  readonly rev: number;
  readonly outbox: readonly KeyFact[];
  /** Present while the outbox holds something, so that a sparse index finds the few. */
  readonly outboxPending?: true;
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

export const API_KEY_FIELDS: SchemaDefinition = {
  accountId: String,
  settings: SETTINGS,
  preview: String,
  publicId: String,
  digest: String,
  previousDigest: String,
  legacyDigest: String,
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
};

/** Fields that an update removes when the key does not have them. */
export const API_KEY_OPTIONAL_FIELDS = [
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

/** A revoked key is kept that long for who asks what it was, milliseconds. */
const PURGE_AFTER_MS = 90 * 24 * 60 * 60 * 1000;

export function toKeyDocument(key: ApiKey): ApiKeyDocument {
  const { id, settings, revokedAt, outbox, ...rest } = key;
  return defined({
    ...rest,
    _id: id,
    settings: toSettingsDocument(settings),
    previousExpiresAt: toDate(key.previousExpiresAt),
    createdAt: new Date(key.createdAt),
    lastUsedAt: toDate(key.lastUsedAt),
    lastRotatedAt: toDate(key.lastRotatedAt),
    revokedAt: toDate(revokedAt),
    purgeAt: revokedAt === undefined ? undefined : new Date(revokedAt + PURGE_AFTER_MS),
    outbox,
    outboxPending: outbox.length > 0 ? (true as const) : undefined,
  });
}

export function fromKeyDocument(document: ApiKeyDocument): ApiKey {
  const { publicId, digest, previousDigest, legacyDigest, createdBy, lastRotationId } = document;
  return {
    id: document._id,
    accountId: document.accountId,
    settings: fromSettingsDocument(document.settings),
    preview: document.preview,
    publicId,
    digest,
    previousDigest,
    legacyDigest,
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
