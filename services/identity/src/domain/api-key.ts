import { AppError } from '@tollgate/core';
import { ERASED_NAME } from './account';
import type { Actor } from './actor';
import type { ChangeSource, KeyEvent, KeyEventKind } from './events';
import type { KeySettings } from './key-settings';

/**
 * A key's record. Of its secrets only digests exist. Its times are milliseconds since the epoch.
 *
 * ```
 *              rotate                       previousExpiresAt passes
 *   [current] ────────▶ [current, previous] ────────────────────────▶ [current]
 *       │                        │
 *       └────── revoke ──────────┴────▶ [revoked]   (kept for 90 days, then purged)
 * ```
 */
export interface ApiKey {
  readonly id: string;
  readonly accountId: string;
  readonly settings: KeySettings;
  readonly preview: string;
  /** Absent until a legacy key is rotated. */
  readonly publicId: string | undefined;
  /** Digest of the present secret; absent like the public id. */
  readonly digest: string | undefined;
  /** Digest of the secret before the last rotation. */
  readonly previousDigest: string | undefined;
  /** Digest of the secret that a legacy key came with: the present one until the first rotation. */
  readonly legacyDigest: string | undefined;
  /**
   * Switched off by an operator, which holds against the account whatever its own switch
   * (`settings.disabled`) says.
   */
  readonly disabledByOperator: boolean;
  /** When the secret before the last rotation stops working. */
  readonly previousExpiresAt: number | undefined;
  /** The user who made it; absent for legacy keys. */
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
  /** Events that are durable here and not yet relayed. */
  readonly outbox: readonly KeyEvent[];
}

/** Legacy keys have no creator; they may do what an admin of the account may. */
export const LEGACY_KEY_ROLE = 'admin';

export type KeyStatus = 'active' | 'disabled' | 'expired';

/**
 * A key as its owner sees it: nothing that depends on a secret. Its times are milliseconds since the
 * epoch, under the names by which answers that are kept for a repetition have them.
 */
export interface ApiKeyView extends KeySettings {
  readonly id: string;
  readonly accountId: string;
  readonly preview: string;
  readonly status: KeyStatus;
  readonly disabledByOperator: boolean;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | undefined;
  readonly rotationCount: number;
  readonly lastRotatedAt: number | undefined;
  readonly previousExpiresAt: number | undefined;
}

export function keyStatusOf(key: ApiKey, now: number): KeyStatus {
  if (key.revokedAt !== undefined || isSwitchedOff(key)) return 'disabled';
  const { expiresAt } = key.settings;
  return expiresAt !== undefined && expiresAt <= now ? 'expired' : 'active';
}

export function isSwitchedOff(key: ApiKey): boolean {
  return key.settings.disabled || key.disabledByOperator;
}

/** Refuses the account what would set a key to work again that an operator switched off. */
export function requireNotDisabledByOperator(key: ApiKey): void {
  if (!key.disabledByOperator) return;
  throw new AppError('CONFLICT', {
    param: 'status',
    publicMessage:
      'An operator switched this key off, and only an operator switches it on: ask there. Until ' +
      'then it is not rotated, and its settings change by PATCH only, without its status.',
  });
}

export function keyViewOf(key: ApiKey, now: number): ApiKeyView {
  const { previousExpiresAt } = key;
  const overlapping = previousExpiresAt !== undefined && previousExpiresAt > now;
  return {
    ...key.settings,
    id: key.id,
    accountId: key.accountId,
    preview: key.preview,
    status: keyStatusOf(key, now),
    disabledByOperator: key.disabledByOperator,
    createdBy: key.createdBy ?? '',
    createdAt: key.createdAt,
    lastUsedAt: key.lastUsedAt,
    rotationCount: key.rotationCount,
    lastRotatedAt: key.lastRotatedAt,
    previousExpiresAt: overlapping ? previousExpiresAt : undefined,
  };
}

/** The chosen fields of a new key; the rest follows. */
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

export function createKey(fields: NewKey, source: ChangeSource): ApiKey {
  return {
    id: fields.id,
    accountId: fields.accountId,
    settings: fields.settings,
    preview: fields.preview,
    publicId: fields.publicId,
    digest: fields.digest,
    previousDigest: undefined,
    legacyDigest: fields.legacyDigest,
    disabledByOperator: false,
    previousExpiresAt: undefined,
    createdBy: fields.createdBy,
    createdAt: source.atMs,
    lastUsedAt: undefined,
    rotationCount: 0,
    lastRotatedAt: undefined,
    lastRotationId: undefined,
    revokedAt: undefined,
    expiryNotices: [],
    rev: 1,
    outbox: [eventOf('key.created', fields.settings.name, source)],
  };
}

/**
 * Gives the key new settings; notices start anew when the expiry moves. A key that is switched off
 * is published as revoked, because what its users see is the same.
 */
export function changeSettings(key: ApiKey, settings: KeySettings, source: ChangeSource): ApiKey {
  const sameExpiry = settings.expiresAt === key.settings.expiresAt;
  const expiryNotices = sameExpiry ? key.expiryNotices : [];
  return withChange(key, { ...key, settings, expiryNotices }, source);
}

/**
 * An operator switches the key off, or gives it back to the switch of its account: one that the
 * account switched off itself stays so.
 */
export function setDisabledByOperator(
  key: ApiKey,
  disabledByOperator: boolean,
  source: ChangeSource,
): ApiKey {
  if (key.disabledByOperator === disabledByOperator) return key;
  return withChange(key, { ...key, disabledByOperator }, source);
}

function withChange(key: ApiKey, next: ApiKey, source: ChangeSource): ApiKey {
  const switchedOff = isSwitchedOff(next) && !isSwitchedOff(key);
  const kind = switchedOff ? 'key.revoked' : 'key.updated';
  return withEvents(next, [eventOf(kind, next.settings.name, source)]);
}

/** The fields that a rotation puts in place of the present secret. */
export interface NewSecret {
  readonly rotationId: string;
  readonly publicId: string;
  readonly preview: string;
  readonly digest: string;
  /** 0 ends the old secret at once. */
  readonly gracePeriodMs: number;
}

/**
 * Puts a new secret in front. Only one old secret keeps working: rotating again within an overlap
 * ends the older one.
 */
export function rotateKey(key: ApiKey, secret: NewSecret, source: ChangeSource): ApiKey {
  const overlaps = secret.gracePeriodMs > 0;
  const firstOfLegacy = key.digest === undefined;
  const rotated: ApiKey = {
    ...key,
    publicId: secret.publicId,
    preview: secret.preview,
    digest: secret.digest,
    previousDigest: overlaps ? key.digest : undefined,
    legacyDigest: overlaps && firstOfLegacy ? key.legacyDigest : undefined,
    previousExpiresAt: overlaps ? source.atMs + secret.gracePeriodMs : undefined,
    rotationCount: key.rotationCount + 1,
    lastRotatedAt: source.atMs,
    lastRotationId: secret.rotationId,
  };
  return withEvents(rotated, [eventOf('key.rotated', key.settings.name, source)]);
}

/** Ends every secret of the key at once. */
export function revokeKey(key: ApiKey, source: ChangeSource): ApiKey {
  return withEvents({ ...key, revokedAt: source.atMs }, [
    { ...eventOf('key.revoked', key.settings.name, source), deleted: true },
  ]);
}

/**
 * The key without its name, its addresses and every digest, revoked unless it was. Its preview is
 * empty, by which it is known to be done.
 */
export function eraseKey(key: ApiKey, source: ChangeSource): ApiKey {
  const settings = { ...key.settings, name: ERASED_NAME, allowedIps: [], metadata: {} };
  const revoked = { ...eventOf('key.revoked', ERASED_NAME, source), deleted: true } as const;
  const outbox = key.outbox.map((event) => ({ ...event, name: ERASED_NAME }));
  const erased: ApiKey = {
    ...key,
    settings,
    outbox,
    preview: '',
    revokedAt: key.revokedAt ?? source.atMs,
    publicId: undefined,
    digest: undefined,
    previousDigest: undefined,
    legacyDigest: undefined,
  };
  return withEvents(erased, key.revokedAt === undefined ? [revoked] : []);
}

/** Records that the owner was notified of the coming expiry. */
export function recordExpiryNotice(key: ApiKey, daysBefore: number, source: ChangeSource): ApiKey {
  return withEvents({ ...key, expiryNotices: [...key.expiryNotices, daysBefore] }, [
    eventOf('key.expiring', key.settings.name, source),
  ]);
}

function withEvents(key: ApiKey, events: readonly KeyEvent[]): ApiKey {
  return { ...key, rev: key.rev + 1, outbox: [...key.outbox, ...events] };
}

function eventOf(kind: KeyEventKind, name: string, { id, atMs, actor }: ChangeSource): KeyEvent {
  return { id, at: atMs, kind, name, actorUserId: actor?.userId ?? '' };
}

/** Members see the keys they made; everybody else all keys of the account. */
export function maySee(actor: Actor, key: ApiKey): boolean {
  if (key.revokedAt !== undefined || key.accountId !== actor.accountId) return false;
  return actor.role !== 'member' || key.createdBy === actor.userId;
}
