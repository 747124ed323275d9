import { type AppError, MINUTE_MS, sha256Hex } from '@tollgate/core';
import { NO_KEY } from '@tollgate/mongo';
import type { Actor, Role } from '../domain/actor';
import type { KeySettingsInput } from '../domain/key-settings';
import { codeOf, type IdentityFixture, startIdentityFixture } from '../testing/identity-fixture';
import { createImportKeys } from './import-keys';

const KEYS_MAX = 5;

let identity: IdentityFixture;
let owner: Actor;

beforeEach(async () => {
  identity = await startIdentityFixture({
    TOLLGATE_IDENTITY_KEYS_PER_ACCOUNT_MAX: String(KEYS_MAX),
  });
  owner = (await identity.makeUser()).actor;
});

afterEach(() => identity.close());

const create = (actor: Actor, settings: KeySettingsInput = {}) =>
  identity.operations.createApiKey({
    actor,
    settings: { name: 'a key', ...settings },
    idempotency: NO_KEY,
  });
const update = (actor: Actor, keyId: string, settings: KeySettingsInput) =>
  identity.operations.updateApiKey({ actor, keyId, settings });
const grant = async (groups: readonly string[]) => {
  const { actor } = await identity.makeUser({ role: 'operator' });
  const same = { name: undefined, plan: undefined, status: undefined };
  const { accountId } = owner;
  return identity.operations.updateAccount({ actor, accountId, ...same, groups });
};

/** Keys of the owner's account that were issued before v1. */
async function importKeys(secrets: readonly string[]): Promise<void> {
  const account = owner.accountId;
  async function* lines() {
    for (const secret of secrets) {
      yield JSON.stringify({ account, name: 'old', digest: sha256Hex(secret) });
    }
  }
  await createImportKeys(identity.adapters)(lines());
}

/** Who presents the secret, as a gateway tells it. */
async function bearerOf(secret: string): Promise<Actor> {
  const { principal } = await identity.operations.verifyApiKey(secret);
  const { accountId, userId, keyId, operator, role, scopes, expiresAt } = principal;
  return { accountId, userId, keyId, operator, role, scopes, expiresAt };
}

test('a member who repeats what somebody else sent does not see the key that was made', async () => {
  const { actor: member } = await identity.makeUser({ accountId: owner.accountId, role: 'member' });
  const repeat = (actor: Actor) =>
    identity.operations.createApiKey({
      actor,
      settings: { name: 'a key' },
      idempotency: { key: 'order-1', bodyDigest: 'a' },
    });
  await repeat(owner);
  expect((await repeat(owner)).replayed).toBe(true);
  expect(await codeOf(repeat(member))).toBe('IDEMPOTENCY_MISMATCH');
});

describe('a key acts by what its record says', () => {
  test('a key that was narrowed meanwhile gives what it has now', async () => {
    const { key, secret } = await create(owner);
    const remembered = await bearerOf(secret);
    await update(owner, key.id, { models: ['small'] });
    expect(await codeOf(create(remembered, { models: ['large'] }))).toBe('FORBIDDEN');
    expect((await create(remembered)).key.models).toEqual(['small']);
  });

  test('a key that is gone gives nothing', async () => {
    const { key, secret } = await create(owner);
    const remembered = await bearerOf(secret);
    await identity.operations.deleteApiKey({ actor: owner, keyId: key.id });
    expect(await codeOf(create(remembered))).toBe('UNAUTHORIZED');
  });

  test('a secret in its last hour rotates nothing and makes nothing that stays', async () => {
    const { key, secret } = await create(owner);
    const rotation = { keyId: key.id, gracePeriodS: 3600, idempotency: NO_KEY };
    await identity.operations.rotateApiKey({ actor: owner, ...rotation });
    const former = await bearerOf(secret);
    const again = identity.operations.rotateApiKey({ actor: former, ...rotation });
    expect(await codeOf(again)).toBe('FORBIDDEN');
    expect((await create(former)).key.expiresAt).toBe(former.expiresAt);
  });

  test('a key issued before v1 makes keys that work', async () => {
    const secret = 'a-key-that-was-issued-before-v1';
    await importKeys([secret]);
    const made = await create(await bearerOf(secret));
    expect(await bearerOf(made.secret)).toMatchObject({ accountId: owner.accountId });
  });
});

describe('who widens a key has what it then may do', () => {
  const SOON = '2099-01-01T00:00:01Z';
  const RESTRICTED: KeySettingsInput = {
    allowedIps: ['9.9.9.9'],
    models: ['small'],
    maxBudget: 5n,
    budgetPeriod: 'day',
    requestsPerMinute: 5,
    expiresAt: SOON,
    disabled: true,
  };
  const WIDER: readonly KeySettingsInput[] = [
    { allowedIps: [] },
    { allowedIps: ['9.9.9.0/24'] },
    { models: ['large'] },
    { budgetPeriod: 'month' },
    { maxBudget: -1n },
    { requestsPerMinute: -1 },
    { expiresAt: '' },
    { disabled: false },
    // Wider in one setting and narrower in others.
    { disabled: false, models: ['small'], maxBudget: 1n },
  ];
  const NARROWER: readonly KeySettingsInput[] = [
    { name: 'renamed' },
    { maxBudget: 1n },
    { concurrentRequests: 1 },
    { disabled: true },
    { scopes: ['keys'] },
  ];
  const mate = async (role: Role) =>
    (await identity.makeUser({ accountId: owner.accountId, role })).actor;
  const refusal = (attempt: Promise<unknown>) =>
    attempt.then(
      () => 'accepted',
      ({ code, param }: AppError) => `${code} ${param}`,
    );
  const widen = async (actor: Actor, keyId: string) => {
    const outcomes = new Set<string>();
    for (const settings of WIDER) outcomes.add(await refusal(update(actor, keyId, settings)));
    return [...outcomes];
  };

  test('an admin re-arms no key of an operator, and may still restrict and delete it', async () => {
    const operator = await mate('operator');
    const { key } = await create(operator, { ...RESTRICTED, scopes: ['keys', 'admin'] });
    await identity.clock.advance(MINUTE_MS);
    const admin = await mate('admin');
    const { secret } = await create(admin);
    const before = await identity.operations.getApiKey({ actor: admin, keyId: key.id });
    for (const actor of [admin, await bearerOf(secret)]) {
      expect(await widen(actor, key.id)).toEqual(['FORBIDDEN role']);
    }
    expect(await identity.operations.getApiKey({ actor: admin, keyId: key.id })).toEqual(before);
    for (const settings of NARROWER) {
      expect(await codeOf(update(admin, key.id, settings))).toBe('accepted');
    }
    const removal = identity.operations.deleteApiKey({ actor: admin, keyId: key.id });
    expect(await codeOf(removal)).toBe('accepted');
  });

  test('the role of the maker counts where every scope is held', async () => {
    const admin = await mate('admin');
    const { key } = await create(owner, RESTRICTED);
    expect(await widen(admin, key.id)).toEqual(['FORBIDDEN role']);
    expect(await codeOf(update(owner, key.id, { disabled: false }))).toBe('accepted');
    // Whose maker is an admin, or a member, or nobody as that of a key from before v1.
    await importKeys(['a-key-that-was-issued-before-v1']);
    const made = [await create(admin, RESTRICTED), await create(await mate('member'), RESTRICTED)];
    const page = { limit: 0, cursor: '' };
    const { items } = await identity.operations.listApiKeys({ actor: admin, page });
    const legacyId = items.find(({ createdBy }) => createdBy === '')?.id ?? '';
    await update(admin, legacyId, RESTRICTED);
    for (const id of [...made.map((one) => one.key.id), legacyId]) {
      expect(await widen(admin, id)).toEqual(['accepted']);
    }
  });

  test('a scope that is lacked counts where the role is held', async () => {
    const { user, actor: former } = await identity.makeUser({ role: 'operator' });
    const { key } = await create(former, { ...RESTRICTED, scopes: ['keys', 'admin'] });
    await identity.adapters.users.update({ ...user, role: 'owner', rev: user.rev + 1 });
    const actor: Actor = { ...former, operator: false, role: 'owner' };
    expect(await widen(actor, key.id)).toEqual(['FORBIDDEN scopes']);
    // What is taken away by the same request is not handed on.
    const without = update(actor, key.id, { disabled: false, scopes: ['keys'] });
    expect(await codeOf(without)).toBe('accepted');
    const { secret } = await create(owner, { scopes: ['keys'] });
    const stronger = await create(owner, RESTRICTED);
    expect(await widen(await bearerOf(secret), stronger.key.id)).toEqual(['FORBIDDEN scopes']);
  });
});

describe('channel groups', () => {
  test('a group that was not granted is not there, whatever its name', async () => {
    const refusals = await Promise.all(
      ['gold', 'nowhere'].map((pool) =>
        create(owner, { pools: [pool] }).catch((error: unknown) => error),
      ),
    );
    expect(refusals[0]).toMatchObject({ code: 'NOT_FOUND', param: 'pools' });
    expect(String(refusals[0])).toBe(String(refusals[1]));
    expect(await codeOf(create(owner, { pools: ['self', 'default'] }))).toBe('accepted');
  });

  test('a grant reaches gateways with the principal, and as a change of the account', async () => {
    const { secret } = await create(owner);
    const before = identity.adapters.principalLog.revision();
    const changed: string[] = [];
    identity.adapters.principalLog.subscribe(
      before,
      ({ changes }) => void changed.push(...changes),
    );
    expect((await grant(['silver', 'gold', 'gold'])).groups).toEqual(['gold', 'silver']);
    expect(changed).toEqual([owner.accountId]);
    const { principal } = await identity.operations.verifyApiKey(secret);
    expect(principal.grantedGroups).toEqual(['gold', 'silver']);
  });

  test('a grant that ends takes no key away from its owner', async () => {
    await grant(['gold']);
    const { key } = await create(owner, { pools: ['gold'] });
    await grant([]);
    expect(await codeOf(update(owner, key.id, { name: 'b', pools: ['gold'] }))).toBe('accepted');
    expect(await codeOf(update(owner, key.id, { pools: ['silver'] }))).toBe('NOT_FOUND');
  });

  test.each([[['Gold']], [['self']], [[`g${'x'.repeat(64)}`]], [['a b']]])(
    '%j is no list of groups',
    async (groups) => {
      expect(await codeOf(grant(groups))).toBe('VALIDATION_ERROR');
    },
  );
});

describe('how many keys an account has', () => {
  const live = async () => {
    const page = { limit: 0, cursor: '' };
    return (await identity.operations.listApiKeys({ actor: owner, page })).items;
  };

  test('is bounded when many are made at once', async () => {
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => codeOf(create(owner))));
    expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(KEYS_MAX);
    expect(new Set(outcomes)).toEqual(new Set(['accepted', 'CONFLICT']));
    expect(await live()).toHaveLength(KEYS_MAX);
  });

  test('is bounded when many are made at once beside keys that were imported', async () => {
    await create(owner);
    await importKeys(['first-from-before', 'second-from-before', 'third-from-before']);
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => codeOf(create(owner))));
    expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(1);
    expect(await live()).toHaveLength(KEYS_MAX);
  });

  test('is full where one is given back while the records are counted', async () => {
    const { quotas } = identity.adapters;
    const quota = { name: 'things', max: KEYS_MAX, now: 0 };
    expect(await quotas.acquire({ ...quota, count: async () => 0 })).toBe(true);
    let counted = 0;
    const count = async () => {
      counted += 1;
      if (counted === 1) await quotas.release(quota.name, 1);
      return KEYS_MAX;
    };
    expect(await quotas.acquire({ ...quota, count })).toBe(false);
  });

  test('a key that was deleted makes room for one', async () => {
    for (let count = 0; count < KEYS_MAX; count += 1) await create(owner);
    const [first, second] = await live();
    for (const key of [first, second]) {
      await identity.operations.deleteApiKey({ actor: owner, keyId: String(key?.id) });
    }
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => codeOf(create(owner))));
    expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(2);
    expect(await live()).toHaveLength(KEYS_MAX);
  });
});
