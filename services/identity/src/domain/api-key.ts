import type { Actor } from './actor';
import type { KeyFact, KeyFactKind } from './facts';
import type { BudgetPeriod, KeySettings } from './key-settings';

/**
 * A key's record. Of its secrets only digests exist.
 *
 * ```
 *              rotate                       previousExpiresAt passes
 *   [current] ────────▶ [current, previous] ────────────────────────▶ [current]
 *       │                        │
 *       └────── revoke ──────────┴────▶ [revoked]   (kept for the audit, then purged)
 * ```
 */
export interface ApiKey {
  readonly id: string;
  readonly accountId: string;
  readonly settings: KeySettings;
  readonly preview: string;
  /** Absent until a key issued before v1 is rotated. */
  readonly publicId: string | undefined;
  /** Digest of the present secret; absent like the public id. */
  readonly digest: string | undefined;
  /** Digest of the secret before the last rotation. */
  readonly previousDigest: string | undefined;
  /** Digest of a secret issued before v1: the present one until the first rotation. */
  readonly legacyDigest: string | undefined;
  /** When the secret before the last rotation stops working. */
  readonly previousExpiresAt: number | undefined;
  /** The user who made it; absent for imported keys. */
  readonly createdBy: string | undefined;
  readonly createdAt: number;
  readonly lastUsedAt: number | undefined;
  readonly rotationCount: number;
  readonly lastRotatedAt: number | undefined;
  /** Names the last rotation, so that a repeated request is recognised. */
  readonly lastRotationId: string | undefined;
  readonly revokedAt: number | undefined;
  /** Days-before-expiry for which a notice was given for the present expiry. */
  readonly expiryNotices: readonly number[];
  /** Counts changes; a write names the revision it read. */
  readonly rev: number;
  /** Facts that are durable here and not yet announced. */
  readonly outbox: readonly KeyFact[];
}

/** Imported keys have no creator; they may do what an admin of the account may. */
export const IMPORTED_KEY_ROLE = 'admin';

export type KeyStatus = 'active' | 'disabled' | 'expired';

/** A key as its owner sees it: nothing that depends on a secret. */
export interface ApiKeyView extends KeySettings {
  readonly id: string;
  readonly accountId: string;
  readonly preview: string;
  readonly status: KeyStatus;
  readonly budgetPeriod: BudgetPeriod;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | undefined;
  readonly rotationCount: number;
  readonly lastRotatedAt: number | undefined;
  readonly previousExpiresAt: number | undefined;
}

/** Who changed what, for the fact that a transition records. */
export interface FactSource {
  readonly id: string;
  readonly at: number;
  readonly actor: Pick<Actor, 'userId' | 'keyId'> | undefined;
}

export function statusOf(key: ApiKey, now: number): KeyStatus {
  if (key.revokedAt !== undefined || key.settings.disabled) return 'disabled';
  const { expiresAt } = key.settings;
  return expiresAt !== undefined && expiresAt <= now ? 'expired' : 'active';
}

export function viewOf(key: ApiKey, now: number): ApiKeyView {
  const { previousExpiresAt } = key;
  const overlapping = previousExpiresAt !== undefined && previousExpiresAt > now;
  return {
    ...key.settings,
    id: key.id,
    accountId: key.accountId,
    preview: key.preview,
    status: statusOf(key, now),
    createdBy: key.createdBy ?? '',
    createdAt: key.createdAt,
    lastUsedAt: key.lastUsedAt,
    rotationCount: key.rotationCount,
    lastRotatedAt: key.lastRotatedAt,
    previousExpiresAt: overlapping ? previousExpiresAt : undefined,
  };
}

/** The parts of a new key that differ from key to key. */
export interface NewKey {
  readonly id: string;
  readonly accountId: string;
  readonly settings: KeySettings;
  readonly preview: string;
  readonly publicId?: string;
  readonly digest?: string;
  readonly legacyDigest?: string;
  readonly createdBy?: string;
}

export function createKey(fields: NewKey, source: FactSource): ApiKey {
  return {
    id: fields.id,
    accountId: fields.accountId,
    settings: fields.settings,
    preview: fields.preview,
    publicId: fields.publicId,
    digest: fields.digest,
    previousDigest: undefined,
    legacyDigest: fields.legacyDigest,
    previousExpiresAt: undefined,
    createdBy: fields.createdBy,
    createdAt: source.at,
    lastUsedAt: undefined,
    rotationCount: 0,
    lastRotatedAt: undefined,
    lastRotationId: undefined,
    revokedAt: undefined,
    expiryNotices: [],
    rev: 1,
    outbox: [factOf('key.created', fields.settings.name, source)],
  };
}

/**
 * Lays new settings over the key; notices start anew when the expiry moves. To the world a key that
 * is switched off is a revoked one.
 */
export function changeSettings(
  key: ApiKey,
  settings: KeySettings,
  fields: readonly string[],
  source: FactSource,
): ApiKey {
  const sameExpiry = settings.expiresAt === key.settings.expiresAt;
  const switchedOff = settings.disabled && !key.settings.disabled;
  const kind = switchedOff ? 'key.revoked' : 'key.updated';
  return withFact({ ...key, settings, expiryNotices: sameExpiry ? key.expiryNotices : [] }, [
    factOf(kind, settings.name, source, fields),
  ]);
}

/** What a rotation puts in place of the present secret. */
export interface NewSecret {
  readonly rotationId: string;
  readonly publicId: string;
  readonly preview: string;
  readonly digest: string;
  /** 0 ends the old secret at once. */
  readonly gracePeriodMs: number;
}

/**
 * Puts a new secret in front. Only one old secret lives on: rotating again within an overlap ends
 * the older one.
 */
export function rotateKey(key: ApiKey, secret: NewSecret, source: FactSource): ApiKey {
  const overlaps = secret.gracePeriodMs > 0;
  const firstOfLegacy = key.digest === undefined;
  const rotated: ApiKey = {
    ...key,
    publicId: secret.publicId,
    preview: secret.preview,
    digest: secret.digest,
    previousDigest: overlaps ? key.digest : undefined,
    legacyDigest: overlaps && firstOfLegacy ? key.legacyDigest : undefined,
    previousExpiresAt: overlaps ? source.at + secret.gracePeriodMs : undefined,
    rotationCount: key.rotationCount + 1,
    lastRotatedAt: source.at,
    lastRotationId: secret.rotationId,
  };
  return withFact(rotated, [factOf('key.rotated', key.settings.name, source)]);
}

/** Ends every secret of the key at once. */
export function revokeKey(key: ApiKey, source: FactSource): ApiKey {
  return withFact({ ...key, revokedAt: source.at }, [
    { ...factOf('key.revoked', key.settings.name, source), deleted: true },
  ]);
}

/** Records that the owner is told of the coming expiry. */
export function noticeExpiry(key: ApiKey, daysBefore: number, source: FactSource): ApiKey {
  return withFact({ ...key, expiryNotices: [...key.expiryNotices, daysBefore] }, [
    factOf('key.expiring', key.settings.name, source),
  ]);
}

function withFact(key: ApiKey, facts: readonly KeyFact[]): ApiKey {
  return { ...key, rev: key.rev + 1, outbox: [...key.outbox, ...facts] };
}

function factOf(
  kind: KeyFactKind,
  name: string,
  source: FactSource,
  fields: readonly string[] = [],
): KeyFact {
  const { id, at, actor } = source;
  return {
    id,
    at,
    kind,
    name,
    fields,
    actorUserId: actor?.userId ?? '',
    actorKeyId: actor?.keyId ?? '',
  };
}

/** Members see the keys they made; everybody else all keys of the account. */
export function maySee(actor: Actor, key: ApiKey): boolean {
  if (key.revokedAt !== undefined || key.accountId !== actor.accountId) return false;
  return actor.role !== 'member' || key.createdBy === actor.userId;
}
