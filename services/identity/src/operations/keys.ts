import {
  AppError,
  createId,
  GRACE_PERIOD_S_MAX,
  type Idempotency,
  invalid,
  type Page,
  type PageRequest,
  pageById,
  windowOf,
} from '@tollgate/core';
import { requireGranted } from '../domain/account';
import { type Actor, requireOperator } from '../domain/actor';
import {
  type ApiKeyView,
  changeSettings,
  createKey,
  keyViewOf,
  requireNotDisabledByOperator,
  revokeKey,
  rotateKey,
  setDisabledByOperator,
} from '../domain/api-key';
import { changeBy } from '../domain/events';
import { createKeyText, createPublicId, keyPreviewOf } from '../domain/key-codec';
import {
  applySettings,
  areSameSettings,
  defaultKeySettings,
  type KeySettings,
  type KeySettingsInput,
} from '../domain/key-settings';
import {
  inheritedSettings,
  requireChangeable,
  requireCreatable,
  requireGovernable,
} from '../domain/rights';
import type { User } from '../domain/user';
import { keyQuota, releaseQuota, withinQuota } from './account-quota';
import { changeRecord } from './changes';
import type { Dependencies } from './dependencies';
import {
  createRotationCheck,
  findVisibleKey,
  type KeyReference,
  loadGrantor,
  loadKeyRole,
  type NamedKeyReference,
  requireKey,
  requireNamedKey,
} from './key-access';
import { findById } from './lookups';

/** What people and keys do with the API keys of their own account. */
export function createKeyOperations(deps: Dependencies) {
  return {
    createApiKey: (input: CreateApiKeyInput) => createApiKey(deps, input),
    listApiKeys: (input: ListApiKeysInput) => listApiKeys(deps, input),
    getApiKey: (input: NamedKeyReference) => getApiKey(deps, input),
    updateApiKey: (input: UpdateApiKeyInput) => updateApiKey(deps, input),
    deleteApiKey: (input: KeyReference) => deleteApiKey(deps, input),
    rotateApiKey: (input: RotateApiKeyInput) => rotateApiKey(deps, input),
    setApiKeyStatus: (input: SetApiKeyStatusInput) => setApiKeyStatus(deps, input),
  };
}

export interface CreateApiKeyInput {
  readonly actor: Actor;
  readonly settings: KeySettingsInput;
  readonly idempotency: Idempotency;
}

/** A key, and its text when it was made by this very request. */
export interface IssuedKey {
  readonly key: ApiKeyView;
  /** Empty when the answer is a replay: a secret is shown once. */
  readonly secret: string;
  readonly replayed: boolean;
}

async function createApiKey(deps: Dependencies, input: CreateApiKeyInput): Promise<IssuedKey> {
  const { clock, random, digester, keys, relay } = deps;
  const { actor } = input;
  const { accountId } = actor;
  const now = clock.now();
  let secret = '';
  const { answer, replayed } = await deps.runIdempotently<ApiKeyView>({
    scope: accountId,
    operation: 'create-api-key',
    idempotency: input.idempotency,
    newEffectId: () => createId('apiKey'),
    async effect(id) {
      // Checked here, for new keys only: at a repetition the expiry that was asked for may be past.
      const settings = await settingsOfNewKey(deps, actor, input.settings, now);
      const publicId = createPublicId(random);
      secret = createKeyText(publicId, random);
      const digest = digester.digest(secret);
      // A legacy key has no creator whose role a key that it makes could have.
      const creator = actor.userId === '' ? {} : { createdBy: actor.userId };
      const key = createKey(
        { id, accountId, settings, preview: keyPreviewOf(publicId), publicId, digest, ...creator },
        changeBy(actor, now),
      );
      await withinQuota(deps, keyQuota(deps, accountId), async () => {
        if (!(await keys.insert(key))) throw new AppError('CONFLICT');
      });
      await relay.relayKey(key);
      return keyViewOf(key, now);
    },
    async findEffect(id) {
      const key = await keys.find(id);
      return key && keyViewOf(key, now);
    },
  });
  if (replayed) {
    // A key that may do less than the first request's must not see what that one made, nor a member
    // what somebody else made.
    requireCreatable(await loadGrantor(deps, actor), answer);
    if (actor.role === 'member' && answer.createdBy !== actor.userId) {
      throw new AppError('IDEMPOTENCY_MISMATCH');
    }
  }
  return { key: answer, secret: replayed ? '' : secret, replayed };
}

async function settingsOfNewKey(
  deps: Dependencies,
  actor: Actor,
  asked: KeySettingsInput,
  now: number,
): Promise<KeySettings> {
  const grantor = await loadGrantor(deps, actor);
  if (asked.name === undefined) throw invalid('name', 'name is required.');
  const inherited = inheritedSettings(defaultKeySettings(), grantor);
  const settings = applySettings(inherited, asked, now);
  requireCreatable(grantor, settings);
  if (asked.pools !== undefined) {
    requireGranted(await deps.accounts.find(actor.accountId), settings.pools);
  }
  return settings;
}

export interface ListApiKeysInput {
  readonly actor: Actor;
  /** Another account than the actor's, for operators; undefined is the actor's own. */
  readonly accountId?: string | undefined;
  readonly page: PageRequest;
}

/** Members get the keys they made, everybody else all keys of the account. */
async function listApiKeys(
  { clock, keys }: Dependencies,
  { actor, accountId, page }: ListApiKeysInput,
): Promise<Page<ApiKeyView>> {
  if (accountId !== undefined) requireOperator(actor);
  const window = windowOf(page);
  const own = actor.role === 'member' ? { createdBy: actor.userId } : {};
  const found = await keys.list({ accountId: accountId ?? actor.accountId, window, ...own });
  const now = clock.now();
  return pageById(
    found.map((key) => keyViewOf(key, now)),
    window,
  );
}

async function getApiKey(deps: Dependencies, asked: NamedKeyReference): Promise<ApiKeyView> {
  return keyViewOf(await requireNamedKey(deps, asked), deps.clock.now());
}

export interface UpdateApiKeyInput extends KeyReference {
  readonly settings: KeySettingsInput;
}

async function updateApiKey(
  deps: Dependencies,
  { actor, keyId, settings }: UpdateApiKeyInput,
): Promise<ApiKeyView> {
  const { clock, accounts, keys, relay } = deps;
  const now = clock.now();
  const grantor = await loadGrantor(deps, actor);
  const role = await loadKeyRole(deps, await requireKey(deps, actor, keyId));
  const account = settings.pools === undefined ? undefined : await accounts.find(actor.accountId);
  const updated = await changeRecord({
    load: () => findVisibleKey(deps, actor, keyId),
    change(key) {
      requireGovernable(grantor, key.settings, key.id);
      if (settings.disabled === false) requireNotDisabledByOperator(key);
      const next = applySettings(key.settings, settings, now);
      requireChangeable(grantor, { ...key.settings, role }, { ...next, role });
      const added = next.pools.filter((pool) => !key.settings.pools.includes(pool));
      requireGranted(account, added);
      if (areSameSettings(key.settings, next)) return key;
      return changeSettings(key, next, changeBy(actor, now));
    },
    write: keys.update,
  });
  await relay.relayKey(updated);
  return keyViewOf(updated, now);
}

export interface SetApiKeyStatusInput extends KeyReference {
  readonly disabled: boolean;
}

/**
 * An operator switches a key of any account off, or on again. The account's own switch stays as it
 * is: a key works when neither is off.
 */
async function setApiKeyStatus(
  deps: Dependencies,
  { actor, keyId, disabled }: SetApiKeyStatusInput,
): Promise<ApiKeyView> {
  requireOperator(actor);
  const now = deps.clock.now();
  const updated = await changeRecord({
    async load() {
      const key = await findById('apiKey', deps.keys, keyId);
      return key?.revokedAt === undefined ? key : undefined;
    },
    change: (key) => setDisabledByOperator(key, disabled, changeBy(actor, now)),
    write: deps.keys.update,
  });
  await deps.relay.relayKey(updated);
  return keyViewOf(updated, now);
}

/** Revokes the key: when this resolves, every connected gateway is being notified. */
async function deleteApiKey(deps: Dependencies, { actor, keyId }: KeyReference): Promise<void> {
  const grantor = await loadGrantor(deps, actor);
  const revoked = await changeRecord({
    load: () => findVisibleKey(deps, actor, keyId),
    change(key) {
      requireGovernable(grantor, key.settings, key.id);
      return revokeKey(key, changeBy(actor, deps.clock.now()));
    },
    write: deps.keys.update,
  });
  await deps.relay.relayKey(revoked);
  await releaseQuota(deps, 'api-keys', actor.accountId);
}

/** Revokes every key that the user made: one who leaves must not keep access through a key. */
export async function revokeKeysOfUser(
  deps: Pick<Dependencies, 'clock' | 'keys' | 'quotas' | 'relay'>,
  { id: createdBy, accountId }: Pick<User, 'id' | 'accountId'>,
  actor: Pick<Actor, 'userId' | 'keyId'> | undefined,
): Promise<void> {
  const { clock, keys, relay } = deps;
  const window = { limit: 100, beforeId: undefined };
  for (;;) {
    const batch = await keys.list({ accountId, createdBy, window });
    if (batch.length === 0) return;
    for (const { id } of batch) {
      let isOurs = false;
      const revoked = await changeRecord({
        load: () => keys.find(id),
        change(key) {
          isOurs = key.revokedAt === undefined;
          if (!isOurs) return key;
          return revokeKey(key, changeBy(actor, clock.now()));
        },
        write: keys.update,
      });
      await relay.relayKey(revoked);
      if (isOurs) await releaseQuota(deps, 'api-keys', accountId);
    }
  }
}

export interface RotateApiKeyInput extends KeyReference {
  readonly gracePeriodS: number;
  readonly idempotency: Idempotency;
}

/** Gives the key a new secret; the old one keeps working for the grace period. */
async function rotateApiKey(deps: Dependencies, input: RotateApiKeyInput): Promise<IssuedKey> {
  const { clock, random, digester, keys, relay } = deps;
  const { actor, keyId, gracePeriodS } = input;
  if (gracePeriodS > GRACE_PERIOD_S_MAX) {
    const range = `from 0 to ${GRACE_PERIOD_S_MAX}`;
    throw invalid('grace_period_seconds', `grace_period_seconds must be ${range}.`);
  }
  const requireRight = await createRotationCheck(deps, actor, keyId);
  const atMs = clock.now();
  let secret = '';
  const { answer, replayed } = await deps.runIdempotently<ApiKeyView>({
    scope: actor.accountId,
    operation: `rotate-api-key ${keyId}`,
    idempotency: input.idempotency,
    async effect(rotationId) {
      const rotated = await changeRecord({
        load: () => findVisibleKey(deps, actor, keyId),
        change(key) {
          requireRight(key);
          // Done by another process that took over while this one stood still.
          if (key.lastRotationId === rotationId) throw new AppError('CONFLICT');
          const publicId = key.publicId ?? createPublicId(random);
          secret = createKeyText(publicId, random);
          const digest = digester.digest(secret);
          const preview = keyPreviewOf(publicId);
          const gracePeriodMs = gracePeriodS * 1000;
          return rotateKey(
            key,
            { rotationId, publicId, preview, digest, gracePeriodMs },
            changeBy(actor, atMs),
          );
        },
        write: keys.update,
      });
      await relay.relayKey(rotated);
      return keyViewOf(rotated, atMs);
    },
    async findEffect(rotationId) {
      const key = await findVisibleKey(deps, actor, keyId);
      return key?.lastRotationId === rotationId ? keyViewOf(key, atMs) : undefined;
    },
  });
  return { key: answer, secret: replayed ? '' : secret, replayed };
}
