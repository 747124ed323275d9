import { AppError, apiKeyChecksum, DAY_MS, HOUR_MS, parseApiKey, toIsoTime } from '@tollgate/core';
import { NO_KEY } from '@tollgate/mongo';
import type { Actor } from '../domain/actor';
import type { KeySettingsInput } from '../domain/key-settings';
import { codeOf, type IdentityFixture, startIdentityFixture } from '../testing/identity-fixture';
import { notifyExpiringKeys } from './expiry-notices';
import type { KeyRefusedError } from './key-verification';

const HOUR_S = 3600;

let identity: IdentityFixture;
let owner: Actor;

beforeEach(async () => {
  identity = await startIdentityFixture();
  owner = (await identity.makeUser()).actor;
});

afterEach(() => identity.close());

const create = (actor: Actor, settings: KeySettingsInput = {}, idempotency = NO_KEY) =>
  identity.operations.createApiKey({
    actor,
    settings: { name: 'a key', ...settings },
    idempotency,
  });
const rotate = (actor: Actor, keyId: string, gracePeriodS: number, idempotency = NO_KEY) =>
  identity.operations.rotateApiKey({ actor, keyId, gracePeriodS, idempotency });
const verify = (text: string) => identity.operations.verifyApiKey(text);

/** The same person acting with a key of the given scopes. */
const byKey = (actor: Actor, keyId: string, scopes: readonly string[]): Actor => ({
  ...actor,
  keyId,
  scopes,
});

describe('verifying', () => {
  test('a fresh key resolves to everything a gateway needs', async () => {
    const { key, secret } = await create(owner, {
      models: ['small'],
      requestsPerMinute: 7,
      maxBudget: 1_500_000_000n,
      budgetPeriod: 'month',
    });
    const { principal } = await verify(secret);
    expect(principal).toMatchObject({
      accountId: owner.accountId,
      accountStatus: 'active',
      plan: 'free',
      keyId: key.id,
      userId: owner.userId,
      operator: false,
      role: 'owner',
      models: ['small'],
      requestsPerMinute: 7,
      maxBudget: 1_500_000_000n,
      budgetPeriod: 'month',
    });
    expect(principal.scopes).not.toContain('admin');
  });

  test('every key that does not work gets one and the same refusal', async () => {
    const revoked = await create(owner);
    await identity.operations.deleteApiKey({ actor: owner, keyId: revoked.key.id });
    const disabled = await create(owner, { disabled: true });
    const expiring = await create(owner, { expiresAt: '2099-01-01T01:00:00Z' });
    const forged = await create(owner);
    await identity.clock.advance(HOUR_MS);
    const unknown = `tg_live_0000000000000000_${'A'.repeat(43)}41VwgT`;
    const presented = [
      '',
      'tg_live_malformed',
      'a-key-that-nobody-imported',
      unknown,
      revoked.secret,
      disabled.secret,
      expiring.secret,
      `${forged.secret.slice(0, -1)}?`,
    ];
    const refusals = await Promise.all(
      presented.map((text) => verify(text).catch((error: unknown) => error)),
    );
    for (const refusal of refusals) {
      expect(refusal).toBeInstanceOf(AppError);
      expect(refusal).toMatchObject({ code: 'UNAUTHORIZED', param: undefined });
    }
    expect(new Set(refusals.map((refusal) => (refusal as AppError).publicMessage)).size).toBe(1);
    // For operators alone. Who has no secret of a key is not taken for its bearer.
    const told = refusals.map((refusal) => (refusal as KeyRefusedError).fault);
    const nameless = ['malformed', 'malformed', 'unknown', 'unknown'];
    expect(told).toEqual([...nameless, 'revoked', 'disabled', 'expired', 'malformed']);
    const guessed = `${revoked.secret.slice(0, 25)}${'A'.repeat(43)}`;
    const guess = verify(`${guessed}${apiKeyChecksum(guessed)}`);
    await expect(guess).rejects.toMatchObject({
      fault: 'wrong_secret',
      key: { id: revoked.key.id },
    });
  });

  test('an operator finds whose key it is that somebody mistyped, and nobody else does', async () => {
    const operator = (await identity.makeUser({ role: 'operator' })).actor;
    const { key, secret } = await create(owner);
    const publicId = parseApiKey(secret)?.publicId ?? '';
    const find = (actor: Actor, named = publicId) =>
      identity.operations.getApiKey({ actor, keyId: '', publicId: named });
    expect(await find(operator)).toMatchObject({ id: key.id, accountId: owner.accountId });
    const swapped = publicId[4] === '0' ? '1' : '0';
    const slip = `${publicId.slice(0, 4)}${swapped}${publicId.slice(5)}`;
    const cut = [publicId.slice(0, 8), publicId.slice(0, -1), publicId.slice(1)];
    for (const named of [slip, `${publicId}0`, ...cut]) {
      expect(await find(operator, named)).toMatchObject({ id: key.id });
    }
    expect(await codeOf(find(owner))).toBe('FORBIDDEN');
    expect(await codeOf(find(operator, '0'.repeat(16)))).toBe('NOT_FOUND');
    // Of several that begin so none is told.
    const known = await Promise.all(Array.from({ length: 33 }, () => create(owner)));
    const letters = known.map((one) => (parseApiKey(one.secret)?.publicId ?? '').slice(0, 1));
    const shared = letters.find((letter, index) => letters.indexOf(letter) !== index) ?? '';
    expect(await codeOf(find(operator, shared))).toBe('NOT_FOUND');
  });

  test('a key of a suspended account resolves and says so', async () => {
    const operator = (await identity.makeUser({ role: 'operator' })).actor;
    const { secret } = await create(owner);
    const { accountId } = owner;
    const change = { name: undefined, plan: undefined, status: 'suspended' as const };
    await identity.operations.updateAccount({ actor: operator, accountId, ...change });
    expect((await verify(secret)).principal.accountStatus).toBe('suspended');
  });

  test('the store holds no part of a secret and the log neither', async () => {
    const { secret } = await create(owner);
    await verify(secret);
    await identity.adapters.relay.idle();
    const { collections } = identity.mongo.connection;
    const documents = await Promise.all(
      Object.values(collections).map((collection) => collection.find({}).toArray()),
    );
    const dump = JSON.stringify(documents, (_name, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    );
    expect(dump).toContain(owner.accountId);
    expect(dump).not.toContain(secret.slice(25, 68));
    expect(identity.logger.text()).not.toContain(secret.slice(25, 68));
  });

  test('the last use appears after the next batch and costs no write before', async () => {
    const { key, secret } = await create(owner);
    await verify(secret);
    const get = () => identity.operations.getApiKey({ actor: owner, keyId: key.id });
    expect((await get()).lastUsedAt).toBeUndefined();
    await identity.adapters.lastUse.flush();
    expect((await get()).lastUsedAt).toBe(identity.clock.now());
  });
});

describe('privileges', () => {
  test('only operators make keys with the admin scope', async () => {
    expect(await codeOf(create(owner, { scopes: ['admin'] }))).toBe('FORBIDDEN');
    const operator = (await identity.makeUser({ role: 'operator' })).actor;
    const { secret } = await create(operator, { scopes: ['admin', 'keys'] });
    expect((await verify(secret)).principal).toMatchObject({
      operator: true,
      scopes: ['keys', 'admin'],
    });
  });

  test('a key gives no scope that it lacks: not by creating, updating or rotating', async () => {
    const strong = await create(owner, { scopes: ['billing', 'keys'] });
    const weak = await create(owner, { scopes: ['keys'] });
    const actor = byKey(owner, weak.key.id, ['keys']);
    expect(await codeOf(create(actor, { scopes: ['keys', 'billing'] }))).toBe('FORBIDDEN');
    const widen = { actor, keyId: weak.key.id, settings: { scopes: ['keys', 'stats'] } };
    expect(await codeOf(identity.operations.updateApiKey(widen))).toBe('FORBIDDEN');
    expect(await codeOf(rotate(actor, strong.key.id, 0))).toBe('FORBIDDEN');
    expect((await create(actor)).key.scopes).toEqual(['keys']);
    const rename = { actor, keyId: strong.key.id, settings: { name: 'renamed' } };
    expect((await identity.operations.updateApiKey(rename)).scopes).toEqual(['keys', 'billing']);
  });

  test('a key loses the admin scope when its creator is no operator any more', async () => {
    const { user, actor } = await identity.makeUser({ role: 'operator' });
    const { secret } = await create(actor, { scopes: ['admin', 'keys'] });
    await identity.adapters.users.update({ ...user, role: 'owner', rev: user.rev + 1 });
    expect((await verify(secret)).principal).toMatchObject({ operator: false, scopes: ['keys'] });
  });

  test('members see and change their own keys and nobody else’s', async () => {
    const { actor: member } = await identity.makeUser({
      accountId: owner.accountId,
      role: 'member',
    });
    const theirs = await create(member);
    const ours = await create(owner);
    const page = { limit: 0, cursor: '' };
    const seen = await identity.operations.listApiKeys({ actor: member, page });
    expect(seen.items.map(({ id }) => id)).toEqual([theirs.key.id]);
    const all = await identity.operations.listApiKeys({ actor: owner, page });
    expect(all.items.map(({ id }) => id)).toEqual([ours.key.id, theirs.key.id]);
    const hidden = { actor: member, keyId: ours.key.id };
    expect(await codeOf(identity.operations.getApiKey(hidden))).toBe('NOT_FOUND');
    expect(await codeOf(identity.operations.deleteApiKey(hidden))).toBe('NOT_FOUND');
    expect(await codeOf(rotate(member, ours.key.id, 0))).toBe('NOT_FOUND');
  });

  test('operators list the keys of any account, and nobody else does', async () => {
    const { key } = await create(owner);
    const { accountId } = owner;
    const operator = (await identity.makeUser({ role: 'operator' })).actor;
    const page = { limit: 0, cursor: '' };
    const list = (actor: Actor) => identity.operations.listApiKeys({ actor, accountId, page });
    expect((await list(operator)).items.map(({ id }) => id)).toEqual([key.id]);
    const scopeless = { ...operator, keyId: 'key_of_an_operator', scopes: ['keys'] };
    for (const actor of [owner, scopeless, (await identity.makeUser()).actor]) {
      expect(await codeOf(list(actor))).toBe('FORBIDDEN');
    }
  });

  test('a key of another account answers exactly as one that does not exist', async () => {
    const { key } = await create(owner);
    const stranger = (await identity.makeUser()).actor;
    const attempts = (keyId: string) => [
      identity.operations.getApiKey({ actor: stranger, keyId }),
      identity.operations.updateApiKey({ actor: stranger, keyId, settings: { name: 'mine' } }),
      identity.operations.deleteApiKey({ actor: stranger, keyId }),
      rotate(stranger, keyId, 60),
    ];
    const outcomes = (keyId: string) =>
      Promise.all(
        attempts(keyId).map((attempt) =>
          attempt.then(
            () => ['accepted'],
            ({ code, publicMessage, param }: AppError) => [code, publicMessage, String(param)],
          ),
        ),
      );
    const missing = await outcomes('key_01JAAAAAAAAAAAAAAAAAAAAAAA');
    expect(await outcomes(key.id)).toEqual(missing);
    expect(await outcomes('no-id-at-all')).toEqual(missing);
    expect(missing[0]?.[0]).toBe('NOT_FOUND');
  });
});

describe('rotating', () => {
  test('the old secret works until the overlap ends and not a moment longer', async () => {
    const first = await create(owner);
    const second = await rotate(owner, first.key.id, HOUR_S);
    expect(second.key).toMatchObject({ id: first.key.id, rotationCount: 1 });
    expect(second.key.previousExpiresAt).toBe(identity.clock.now() + HOUR_MS);
    expect((await verify(first.secret)).principal.expiresAt).toBe(second.key.previousExpiresAt);
    expect((await verify(second.secret)).principal.expiresAt).toBeUndefined();
    await identity.clock.advance(HOUR_MS - 1);
    expect(await codeOf(verify(first.secret))).toBe('accepted');
    await identity.clock.advance(1);
    expect(await codeOf(verify(first.secret))).toBe('UNAUTHORIZED');
    expect(await codeOf(verify(second.secret))).toBe('accepted');
    const after = await identity.operations.getApiKey({ actor: owner, keyId: first.key.id });
    expect(after.previousExpiresAt).toBeUndefined();
  });

  test('without a grace period the old secret ends at once', async () => {
    const first = await create(owner);
    const second = await rotate(owner, first.key.id, 0);
    expect(await codeOf(verify(first.secret))).toBe('UNAUTHORIZED');
    expect(await codeOf(verify(second.secret))).toBe('accepted');
  });

  test('a second rotation within the overlap ends the oldest secret', async () => {
    const first = await create(owner);
    const second = await rotate(owner, first.key.id, HOUR_S);
    const third = await rotate(owner, first.key.id, HOUR_S);
    expect(await codeOf(verify(first.secret))).toBe('UNAUTHORIZED');
    expect(await codeOf(verify(second.secret))).toBe('accepted');
    expect(await codeOf(verify(third.secret))).toBe('accepted');
    expect(third.key.rotationCount).toBe(2);
  });

  test('an overlap never outlives the key', async () => {
    const first = await create(owner, { expiresAt: '2099-01-01T00:30:00Z' });
    await rotate(owner, first.key.id, HOUR_S);
    const { principal } = await verify(first.secret);
    expect(principal.expiresAt).toBe(identity.clock.now() + HOUR_MS / 2);
  });

  test('more than seven days of grace are refused', async () => {
    const { key } = await create(owner);
    expect(await codeOf(rotate(owner, key.id, 7 * 24 * HOUR_S + 1))).toBe('VALIDATION_ERROR');
  });
});

describe('idempotency', () => {
  const idem = (body: string) => ({ key: 'order-1', bodyDigest: body });

  test('a secret is told once, to the first answer', async () => {
    const { key } = await create(owner, { maxBudget: 5n }, idem('a'));
    const again = await create(owner, { maxBudget: 5n }, idem('a'));
    expect(again).toEqual({ key, secret: '', replayed: true });
    const second = { ...idem('a'), key: 'order-2' };
    expect((await rotate(owner, key.id, 60, second)).secret).not.toBe('');
    expect((await rotate(owner, key.id, 60, second)).secret).toBe('');
  });

  test('parallel requests with one key make one API key', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => create(owner, {}, idem('a'))),
    );
    const made = outcomes.filter(
      (outcome) => outcome.status === 'fulfilled' && !outcome.value.replayed,
    );
    expect(made).toHaveLength(1);
    const page = { limit: 0, cursor: '' };
    expect((await identity.operations.listApiKeys({ actor: owner, page })).items).toHaveLength(1);
  });

  test('a refused request releases its Idempotency-Key, and after a day the key is new', async () => {
    expect(await codeOf(create(owner, { scopes: ['admin'] }, idem('a')))).toBe('FORBIDDEN');
    await create(owner, {}, idem('b'));
    await identity.clock.advance(DAY_MS);
    expect((await create(owner, {}, idem('c'))).replayed).toBe(false);
  });

  test('a rotation that was overtaken leaves the secret that the other one told', async () => {
    const { key } = await create(owner);
    const { keys } = identity.adapters;
    const { update } = keys;
    const reached = Promise.withResolvers<void>();
    const goesOn = Promise.withResolvers<void>();
    Object.assign(keys, {
      async update(...given: Parameters<typeof update>) {
        reached.resolve();
        await goesOn.promise;
        return update(...given);
      },
    });
    const overtaken = expect(rotate(owner, key.id, 0, idem('a'))).rejects.toThrow();
    await reached.promise;
    Object.assign(keys, { update });
    await identity.clock.advance(30_000);
    const told = await rotate(owner, key.id, 0, idem('a'));
    goesOn.resolve();
    await overtaken;
    expect(await codeOf(verify(told.secret))).toBe('accepted');
    const again = await rotate(owner, key.id, 0, idem('a'));
    expect(again).toEqual({ key: told.key, secret: '', replayed: true });
  });

  test('a creation is replayed after the expiry that it asked for', async () => {
    const expiresAt = toIsoTime(identity.clock.now() + 60_000);
    const first = await create(owner, { expiresAt }, idem('a'));
    await identity.clock.advance(120_000);
    const again = await create(owner, { expiresAt }, idem('a'));
    expect(again).toEqual({ key: first.key, secret: '', replayed: true });
  });

  test('a key with fewer scopes is not shown what one with more has made', async () => {
    const { key } = await create(owner, { scopes: ['keys'] });
    await create(owner, {}, idem('a'));
    const weaker = byKey(owner, key.id, ['keys']);
    expect(await codeOf(create(weaker, {}, idem('a')))).toBe('FORBIDDEN');
  });
});

describe('events', () => {
  test('creation, rotation, disabling and deletion are published; a new name is not', async () => {
    const { key } = await create(owner);
    const update = (settings: KeySettingsInput) =>
      identity.operations.updateApiKey({ actor: owner, keyId: key.id, settings });
    await update({ name: 'renamed' });
    await rotate(owner, key.id, 60);
    await update({ disabled: true });
    await identity.operations.deleteApiKey({ actor: owner, keyId: key.id });
    await identity.eventsOf('key.revoked', 2);
    expect(identity.events.map(({ type }) => type)).toEqual([
      'key.created',
      'key.rotated',
      'key.revoked',
      'key.revoked',
    ]);
    expect(identity.events[1]?.data).toEqual({
      account_id: owner.accountId,
      key_id: key.id,
      name: 'renamed',
      actor_user_id: owner.userId,
    });
    // Who keeps something for a key lets go of it when the key is gone, and not before.
    const revoked = identity.events.filter(({ type }) => type === 'key.revoked');
    expect(revoked).toMatchObject([{ data: { deleted: false } }, { data: { deleted: true } }]);
  });

  test('the owner is notified seven days and one day before a key expires, once each', async () => {
    const notify = () => notifyExpiringKeys(identity.adapters, new AbortController().signal);
    const { key } = await create(owner, { expiresAt: '2099-01-11T00:00:00Z' });
    expect(await notify()).toBe(0);
    await identity.clock.advance(3 * DAY_MS);
    expect(await notify()).toBe(1);
    expect(await notify()).toBe(0);
    await identity.clock.advance(6 * DAY_MS);
    expect(await notify()).toBe(1);
    expect(await notify()).toBe(0);
    const settings = { expiresAt: '2099-01-16T00:00:00Z' };
    await identity.operations.updateApiKey({ actor: owner, keyId: key.id, settings });
    expect(await notify()).toBe(1);
    expect(await identity.eventsOf('key.expiring', 3)).toHaveLength(3);
  });
});

describe('listing', () => {
  test('pages follow each other without gap or repetition', async () => {
    const made: string[] = [];
    for (let count = 0; count < 5; count += 1) made.unshift((await create(owner)).key.id);
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = { limit: 2, cursor };
      const found = await identity.operations.listApiKeys({ actor: owner, page });
      seen.push(...found.items.map(({ id }) => id));
      cursor = found.nextCursor;
    } while (cursor !== '');
    expect(seen).toEqual(made);
  });

  test('an account has a bounded number of keys', async () => {
    await identity.close();
    identity = await startIdentityFixture({ TOLLGATE_IDENTITY_KEYS_PER_ACCOUNT_MAX: '2' });
    const { actor } = await identity.makeUser();
    const { key } = await create(actor);
    await create(actor);
    expect(await codeOf(create(actor))).toBe('CONFLICT');
    await identity.operations.deleteApiKey({ actor, keyId: key.id });
    expect(await codeOf(create(actor))).toBe('accepted');
  });
});

describe('an operator', () => {
  const setStatus = (actor: Actor, keyId: string, disabled: boolean) =>
    identity.operations.setApiKeyStatus({ actor, keyId, disabled });

  test('switches the key of any account off and on again, and nobody else does', async () => {
    const operator = (await identity.makeUser({ role: 'operator' })).actor;
    const { key, secret } = await create(owner);
    expect(await setStatus(operator, key.id, true)).toMatchObject({ status: 'disabled' });
    expect(await codeOf(verify(secret))).toBe('UNAUTHORIZED');
    expect(await setStatus(operator, key.id, false)).toMatchObject({ status: 'active' });
    expect((await verify(secret)).principal.keyId).toBe(key.id);
    expect(await codeOf(setStatus(owner, key.id, true))).toBe('FORBIDDEN');
    const byWeakKey = byKey(operator, key.id, ['keys']);
    expect(await codeOf(setStatus(byWeakKey, key.id, true))).toBe('FORBIDDEN');
  });

  test('switches a key off for good: its account does not switch it on', async () => {
    const operator = (await identity.makeUser({ role: 'operator' })).actor;
    const { key, secret } = await create(owner);
    await setStatus(operator, key.id, true);
    await expect(verify(secret)).rejects.toMatchObject({ fault: 'disabled' });
    const update = (settings: KeySettingsInput) =>
      identity.operations.updateApiKey({ actor: owner, keyId: key.id, settings });
    const rotation = { actor: owner, keyId: key.id, gracePeriodS: 0, idempotency: NO_KEY };
    expect(await codeOf(update({ disabled: false }))).toBe('CONFLICT');
    expect(await codeOf(identity.operations.rotateApiKey(rotation))).toBe('CONFLICT');
    const stillOff = { status: 'disabled', disabledByOperator: true };
    // A version that knows one switch only reads that one.
    const stored = await identity.mongo.connection
      .collection<{ _id: string }>('identity_api_keys')
      .findOne({ _id: key.id });
    expect(stored).toMatchObject({ settings: { disabled: true }, disabledByAccount: false });
    expect(await update({ name: 'renamed' })).toMatchObject({ name: 'renamed', ...stillOff });
    expect(await codeOf(verify(secret))).toBe('UNAUTHORIZED');
    expect(await update({ disabled: true })).toMatchObject(stillOff);
    const back = { status: 'disabled', disabledByOperator: false };
    expect(await setStatus(operator, key.id, false)).toMatchObject(back);
    expect(await setStatus(operator, key.id, false)).toMatchObject(back);
    expect(await update({ disabled: false })).toMatchObject({ status: 'active' });
    expect((await verify(secret)).principal.keyId).toBe(key.id);
  });

  test('takes over a key that its account switched off, or that was off before', async () => {
    const operator = (await identity.makeUser({ role: 'operator' })).actor;
    const { key } = await create(owner);
    const update = (disabled: boolean) =>
      identity.operations.updateApiKey({ actor: owner, keyId: key.id, settings: { disabled } });
    await update(true);
    expect(await setStatus(operator, key.id, true)).toMatchObject({ disabledByOperator: true });
    expect(await codeOf(update(false))).toBe('CONFLICT');
    const back = { status: 'disabled', disabledByOperator: false };
    expect(await setStatus(operator, key.id, false)).toMatchObject(back);
    const revoked = await identity.eventsOf('key.revoked', 1);
    expect(revoked).toHaveLength(1);
  });

  test('finds no key that is revoked or was never there', async () => {
    const operator = (await identity.makeUser({ role: 'operator' })).actor;
    const { key } = await create(owner);
    await identity.operations.deleteApiKey({ actor: owner, keyId: key.id });
    for (const id of [key.id, 'key_01JAAAAAAAAAAAAAAAAAAAAAAA', 'x']) {
      expect(await codeOf(setStatus(operator, id, false))).toBe('NOT_FOUND');
    }
  });
});
