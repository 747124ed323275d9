import { AppError, createId } from '@tollgate/core';
import { NOTHING_FOUND } from '@tollgate/jobs';
import { NO_KEY } from '@tollgate/mongo';
import type { Account } from '../domain/account';
import type { Actor } from '../domain/actor';
import type { AuditLogEntry } from '../domain/audit-log';
import type { EntryPage } from '../domain/ports';
import { COLLECTIONS } from '../storage/collections';
import {
  actorOf,
  codeOf,
  type IdentityFixture,
  PASSWORD,
  startIdentityFixture,
} from '../testing/identity-fixture';
import { createFinishErasures } from './finish-erasure';
import { createIdentityOperations } from './operations';

/** A minute, and what the times of changes grow by while this clock stands still. */
const MINUTE_LATER_MS = 60_010;
const MISSING = 'acc_01JAAAAAAAAAAAAAAAAAAAAAAA';
const PAGE = { limit: 0, cursor: '' };
const ADDRESS = '203.0.113.99';

let identity: IdentityFixture;
let operator: Actor;
let count = 0;

beforeEach(async () => {
  identity = await startIdentityFixture();
  operator = (await identity.makeUser({ role: 'operator', email: 'op@platform.test' })).actor;
});
afterEach(() => identity.close());

const erase = (accountId: string, actor = operator, idempotency = NO_KEY) =>
  identity.operations.eraseAccount({ actor, accountId, idempotency });
const statusOf = async (id: string) => (await identity.operations.getAccount(id)).status;
const never = () => new AbortController().signal;

/** An account with everything that identity keeps of one; every text of it names Lovelace. */
async function furnish() {
  count += 1;
  const { operations, adapters } = identity;
  const email = `l-${count}@lovelace.test`;
  const owner = { email, password: PASSWORD, displayName: 'Augusta Lovelace' };
  const { account, owner: user } = await operations.createAccount({
    actor: operator,
    name: `Lovelace and Sons ${count}`,
    plan: 'smart',
    owner,
    idempotency: { key: `open-${count}`, bodyDigest: 'a' },
  });
  const { id: accountId } = account;
  const actor = actorOf(user);
  await rename(accountId, `Lovelace and Daughters ${count}`);
  const member = await operations.addMember({
    actor,
    email: `l-child-${count}@lovelace.test`,
    password: PASSWORD,
    displayName: 'Lovelace Minor',
    role: 'member' as const,
    idempotency: { key: 'child', bodyDigest: 'b' },
  });
  const make = (name: string) =>
    operations.createApiKey({
      actor,
      idempotency: { key: name, bodyDigest: 'c' },
      settings: { name, allowedIps: [], metadataJson: '{"by":"Lovelace"}' },
    });
  const key = await make('Lovelace in production');
  const old = await make('Lovelace in tests');
  await operations.rotateApiKey({
    actor,
    keyId: key.key.id,
    gracePeriodS: 60,
    idempotency: { key: 'rotate', bodyDigest: 'd' },
  });
  await operations.deleteApiKey({ actor, keyId: old.key.id });
  const session = await operations.login({ email, password: PASSWORD, remoteAddress: ADDRESS });
  await operations.startPasswordReset({ actor: operator, userId: member.user.id });
  const entry: AuditLogEntry = {
    id: createId('auditEntry'),
    atMs: identity.clock.now(),
    operation: 'PATCH /v1/keys/{id}',
    actorAccountId: accountId,
    actorUserId: user.id,
    actorKeyId: '',
    operator: false,
    accountId,
    resourceType: 'keys',
    resourceId: key.key.id,
    remoteAddress: ADDRESS,
    requestId: 'req_a',
    outcome: 'succeeded',
    errorCode: '',
    request: '{"name":"Lovelace"}',
    before: '{"name":"Lovelace"}',
    after: '{"name":"Lovelace"}',
  };
  await adapters.auditLog.insert(entry);
  await adapters.relay.idle();
  return { accountId, user, actor, session, secret: key.secret, entry };
}

const rename = (accountId: string, name: string) =>
  identity.operations.updateAccount({
    actor: operator,
    accountId,
    name,
    plan: undefined,
    status: undefined,
  });

/** Every document of the service, as text. */
async function everything(): Promise<string> {
  const all: unknown[] = [];
  for (const name of Object.values(COLLECTIONS)) {
    all.push([name, await identity.mongo.connection.collection(name).find({}).toArray()]);
  }
  return JSON.stringify(all, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
}

test('an erased account lets nobody in, at once', async () => {
  const { accountId, user, actor, session, secret } = await furnish();
  const { operations } = identity;
  expect((await operations.verifyApiKey(secret)).principal.accountId).toBe(accountId);
  const { account } = await erase(accountId);
  expect(account).toMatchObject({ id: accountId, name: 'erased', status: 'erasing' });
  expect(await codeOf(operations.verifyApiKey(secret))).toBe('UNAUTHORIZED');
  expect(await codeOf(operations.refreshSession(session.refreshToken))).toBe('UNAUTHORIZED');
  const login = { email: user.email, password: PASSWORD, remoteAddress: ADDRESS };
  expect(await codeOf(operations.login(login))).toBe('UNAUTHORIZED');
  const { sessionId } = await openSessionOf(user.id);
  expect(await codeOf(operations.getUser({ userId: user.id, sessionId }))).toBe('UNAUTHORIZED');
  const newcomer = { email: 'late@lovelace.test', password: PASSWORD, displayName: '' };
  const joining = { ...newcomer, actor: operator, accountId, role: undefined, registration: false };
  expect(await codeOf(operations.createUser({ ...joining, idempotency: NO_KEY }))).toBe('CONFLICT');
  expect(await codeOf(rename(accountId, 'back'))).toBe('CONFLICT');
  const enabling = { actor: operator, userId: user.id, status: 'active' as const };
  expect(await codeOf(operations.setUserStatus(enabling))).toBe('CONFLICT');
  expect(await codeOf(erase(accountId, actor))).toBe('FORBIDDEN');
});

async function openSessionOf(userId: string) {
  const sessions = identity.mongo.connection.collection(COLLECTIONS.sessions);
  const found = await sessions.findOne({ userId });
  return { sessionId: String(found?._id) };
}

test('nothing personal is left, numbers are, and it is told when it begins and ends', async () => {
  const other = await identity.makeUser({ email: 'grace@hopper.test' });
  const { accountId, entry } = await furnish();
  expect(await everything()).toMatch(/lovelace/i);
  await erase(accountId);
  const round = createFinishErasures(identity.adapters);
  await round(never());
  const left = await everything();
  expect(left).not.toMatch(/lovelace/i);
  expect(left).not.toContain(ADDRESS);
  expect(left).toContain(other.user.email);
  expect(left).toContain(operator.userId);
  // A request that was let in before may still write: only what is found later ends it.
  expect(await statusOf(accountId)).toBe('erasing');
  await identity.clock.advance(MINUTE_LATER_MS);
  await round(never());
  expect(await round(never())).toBe(NOTHING_FOUND);
  const account = await identity.operations.getAccount(accountId);
  expect(account).toMatchObject({ id: accountId, status: 'erased', plan: 'smart', groups: [] });
  const told = await identity.eventsOf('account.erased', 2);
  expect(told.map(({ data }) => data)).toEqual([
    { account_id: accountId },
    { account_id: accountId },
  ]);
  const kept = await identity.operations.getAuditEntry(operator, entry.id);
  expect(kept).toEqual({ ...entry, request: '', before: '', after: '', remoteAddress: '' });
});

test('what came while it was erased goes with the last round', async () => {
  const { accountId } = await furnish();
  await erase(accountId);
  const round = createFinishErasures(identity.adapters);
  await round(never());
  await identity.makeUser({ accountId, email: 'late@lovelace.test' });
  await round(never());
  expect(await everything()).toContain('late@lovelace.test');
  await identity.clock.advance(MINUTE_LATER_MS);
  await round(never());
  expect(await everything()).not.toContain('lovelace');
  expect(await statusOf(accountId)).toBe('erased');
});

test('asked again it is answered the same, by its key and without', async () => {
  const { accountId } = await furnish();
  const keyed = { key: 'once', bodyDigest: 'e' };
  const first = await erase(accountId, operator, keyed);
  expect(first.replayed).toBe(false);
  expect(await erase(accountId, operator, keyed)).toMatchObject({ replayed: true });
  // What waited to be told was told meanwhile.
  const { outbox: _, ...same } = first.account;
  expect((await erase(accountId)).account).toMatchObject(same);
  expect(await codeOf(erase(MISSING))).toBe('NOT_FOUND');
  const other = await furnish();
  expect(await codeOf(erase(other.accountId, operator, keyed))).toBe('IDEMPOTENCY_MISMATCH');
});

test('one that was erased is told of again when that is asked for again', async () => {
  const { user } = await identity.makeUser({ email: 'l@lovelace.test' });
  const round = createFinishErasures(identity.adapters);
  for (const told of [2, 4]) {
    await erase(user.accountId);
    await identity.clock.advance(MINUTE_LATER_MS);
    await round(never());
    expect(await statusOf(user.accountId)).toBe('erased');
    await identity.eventsOf('account.erased', told);
  }
});

test('what a broken request of an erased account left undone, its repetition does', async () => {
  const { user } = await identity.makeUser({ email: 'l@lovelace.test' });
  const round = createFinishErasures(identity.adapters);
  await erase(user.accountId);
  await identity.clock.advance(MINUTE_LATER_MS);
  await round(never());
  await identity.eventsOf('account.erased', 2);
  const away = new AppError('SERVICE_UNAVAILABLE');
  jest.spyOn(identity.adapters.accounts, 'update').mockRejectedValueOnce(away);
  const keyed = { key: 'told again', bodyDigest: 'e' };
  expect(await codeOf(erase(user.accountId, operator, keyed))).toBe('SERVICE_UNAVAILABLE');
  const { account } = await erase(user.accountId, operator, keyed);
  expect(account.status).toBe('erasing');
  await identity.eventsOf('account.erased', 3);
});

test('who opened the account opens it again with the key of that request no more', async () => {
  const { accountId } = await furnish();
  await erase(accountId);
  await createFinishErasures(identity.adapters)(never());
  const owner = { email: `l-${count}@lovelace.test`, password: PASSWORD, displayName: 'x' };
  const again = identity.operations.createAccount({
    actor: operator,
    name: 'x',
    plan: 'smart',
    owner,
    idempotency: { key: `open-${count}`, bodyDigest: 'a' },
  });
  expect(await codeOf(again)).toBe('IDEMPOTENCY_MISMATCH');
});

describe('the platform keeps an operator who can sign in', () => {
  test('nobody erases the own account', async () => {
    expect(await codeOf(erase(operator.accountId))).toBe('CONFLICT');
  });

  test('an account with the last one is refused, and everybody in it stays', async () => {
    // Its own operator was disabled since the actor was let in.
    const { user } = await identity.makeUser({ role: 'operator' });
    const { adapters } = identity;
    const own = await adapters.users.find(operator.userId);
    if (own === undefined) throw new Error('the operator is gone');
    await adapters.users.update({ ...own, status: 'disabled', rev: own.rev + 1 });
    expect(await codeOf(erase(user.accountId))).toBe('CONFLICT');
    expect(await statusOf(user.accountId)).toBe('active');
    expect((await adapters.users.find(user.id))?.status).toBe('active');
  });

  test('one of two accounts that erase each other is left', async () => {
    const second = await identity.makeUser({ role: 'operator' });
    const outcomes = await Promise.all([
      codeOf(erase(second.user.accountId)),
      codeOf(erase(operator.accountId, second.actor)),
    ]);
    const left = await identity.adapters.users.listOperators(3);
    expect(left.length).toBeGreaterThan(0);
    expect(outcomes).toContain('CONFLICT');
  });
});

/** The adapters of which the call of that number, counted over all writes of the job, never returns. */
function dyingAt(step: number) {
  const { adapters } = identity;
  let calls = 0;
  const dying = <Part extends object>(part: Part, names: readonly (keyof Part)[]): Part =>
    Object.fromEntries(
      Object.entries(part).map(([name, member]) => [
        name,
        names.includes(name as keyof Part)
          ? async (...input: unknown[]) => {
              calls += 1;
              if (calls === step) throw new Error('killed');
              return (member as (...all: unknown[]) => unknown)(...input);
            }
          : member,
      ]),
    ) as Part;
  const { remnants, users, keys, accounts } = adapters;
  const parts = {
    ...adapters,
    remnants: dying(remnants, Object.keys(remnants) as (keyof typeof remnants)[]),
    users: dying(users, ['remove']),
    keys: dying(keys, ['update']),
    accounts: dying(accounts, ['update']),
  };
  return { parts, died: () => calls >= step };
}

test('a process that dies at any step is followed by one that finishes', async () => {
  const ends = new Set<Account['status']>();
  let steps = 0;
  for (let died = true; died; ) {
    steps += 1;
    const { user, actor } = await identity.makeUser({ email: `step-${steps}@lovelace.test` });
    const { accountId } = user;
    await identity.operations.createApiKey({
      actor,
      settings: { name: 'Lovelace' },
      idempotency: NO_KEY,
    });
    await erase(accountId);
    await identity.clock.advance(MINUTE_LATER_MS);
    const first = dyingAt(steps);
    await createFinishErasures(first.parts)(never());
    died = first.died();
    await createFinishErasures(identity.adapters)(never());
    ends.add(await statusOf(accountId));
    expect(await everything()).not.toMatch(/lovelace/i);
  }
  expect([...ends]).toEqual(['erased']);
  expect(steps).toBeGreaterThan(12);
});

test('one with very many entries is gone through in turns, and others do not wait for its end', async () => {
  const large = await identity.makeUser({ email: 'large@lovelace.test' });
  const small = await identity.makeUser({ email: 'small@lovelace.test' });
  await erase(large.user.accountId);
  await erase(small.user.accountId);
  await identity.clock.advance(MINUTE_LATER_MS);
  const { adapters } = identity;
  const pagesMax = 250;
  const pages: number[] = [];
  /** So many pages of entries of the large account, of which the first are of its person. */
  const blank = async ({ value, after = '0' }: EntryPage) => {
    const { accountId, id } = large.user;
    if (value !== accountId && value !== id) return undefined;
    pages.push(Number(after));
    return pages.length % pagesMax === 0 ? undefined : `${Number(after) + 1}`;
  };
  const remnants = { ...adapters.remnants, blankEntries: blank, blankAddresses: blank };
  const round = createFinishErasures({ ...adapters, remnants });
  await round(never());
  expect(pages).toHaveLength(100);
  expect(await statusOf(small.user.accountId)).toBe('erased');
  expect(await statusOf(large.user.accountId)).toBe('erasing');
  for (let more = 0; more < 10; more += 1) await round(never());
  const walk = Array.from({ length: pagesMax }, (_, page) => page);
  expect(pages).toEqual([...walk, ...walk, ...walk]);
  expect(await statusOf(large.user.accountId)).toBe('erased');
});

test('a gateway hears of the account before the operation is answered', async () => {
  const { accountId } = await furnish();
  const { principalLog } = identity.adapters;
  const heard: string[] = [];
  const end = principalLog.subscribe(principalLog.revision(), ({ changes }) =>
    heard.push(...changes),
  );
  await erase(accountId);
  end();
  expect(heard).toContain(accountId);
});

test('a list of accounts still shows it, for its numbers', async () => {
  const { accountId } = await furnish();
  await erase(accountId);
  const operations = createIdentityOperations(identity.adapters);
  const { items } = await operations.listAccounts({ actor: operator, page: PAGE });
  expect(items.map(({ id }) => id).sort()).toEqual([accountId, operator.accountId].sort());
  const list = async (search: { readonly name?: string }) =>
    (
      await operations.listAccounts({ actor: operator, page: PAGE, status: 'erasing', ...search })
    ).items.map(({ id }) => id);
  expect(await list({})).toEqual([accountId]);
  expect(await list({ name: 'eras' })).toEqual([accountId]);
  expect(await list({ name: 'account' })).toEqual([]);
});

test('an operator of the account is disabled first, however many people it has', async () => {
  const { adapters } = identity;
  const { user } = await identity.makeUser({ role: 'operator' });
  const people = Array.from({ length: 1_001 }, () => {
    const id = createId('user');
    return { ...user, id, email: `${id}@crowd.test`.toLowerCase(), role: 'owner' as const };
  });
  for (const person of people) await adapters.users.insert(person);
  await erase(user.accountId);
  expect((await adapters.users.find(user.id))?.status).toBe('disabled');
});
