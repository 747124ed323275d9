import { sha256Hex } from '@tollgate/core';
import { NO_KEY } from '@tollgate/mongo';
import { codeOf, type IdentityFixture, startIdentityFixture } from '../testing/identity-fixture';
import { createImportKeys } from './import-keys';

const OLD_KEY = 'not-a-real-key-from-before-v1';

let identity: IdentityFixture;

beforeEach(async () => {
  identity = await startIdentityFixture();
});

afterEach(() => identity.close());

async function* stream(lines: readonly string[]) {
  yield* lines;
}
const importAll = (lines: readonly string[]) => createImportKeys(identity.adapters)(stream(lines));
const entry = (key: string, over: object = {}) =>
  JSON.stringify({ account: 'Old Customer', name: 'old key', digest: sha256Hex(key), ...over });

test('an imported key keeps working, and keys of one account stay together', async () => {
  const report = await importAll([entry(OLD_KEY), entry('another-key-from-before')]);
  expect(report).toEqual({ imported: 2, known: 0, refusedCount: 0, refused: [] });
  const first = await identity.operations.verifyApiKey(OLD_KEY);
  const second = await identity.operations.verifyApiKey('another-key-from-before');
  expect(first.principal).toMatchObject({ accountName: 'Old Customer', role: 'admin', userId: '' });
  expect(second.principal.accountId).toBe(first.principal.accountId);
  expect(first.principal.scopes).not.toContain('admin');
});

test('importing again changes nothing', async () => {
  await importAll([entry(OLD_KEY)]);
  const again = await importAll([entry(OLD_KEY), entry(OLD_KEY)]);
  expect(again).toEqual({ imported: 0, known: 2, refusedCount: 0, refused: [] });
});

test('entries that cannot be imported are counted and never repeated in the report', async () => {
  const report = await importAll([
    entry(OLD_KEY, { digest: 'not-a-digest' }),
    entry(OLD_KEY, { digest: OLD_KEY }),
    entry(OLD_KEY, { account: 'acc_01JAAAAAAAAAAAAAAAAAAAAAAA' }),
    entry(OLD_KEY, { name: '' }),
    entry(OLD_KEY, { key: OLD_KEY }),
    '',
    `{"key":"${OLD_KEY}"`,
    '[]',
    entry(OLD_KEY),
  ]);
  expect(report.imported).toBe(1);
  expect(report.refused.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 7, 8]);
  expect(report.refusedCount).toBe(7);
  expect(JSON.stringify(report)).not.toContain(OLD_KEY);
});

test('a key of an account that is erased is refused, and its name is kept nowhere', async () => {
  const { user } = await identity.makeUser();
  const { actor } = await identity.makeUser({ role: 'operator' });
  await identity.operations.eraseAccount({
    actor,
    accountId: user.accountId,
    idempotency: NO_KEY,
  });
  const line = entry(OLD_KEY, { account: user.accountId, name: 'a name that is personal' });
  const reason = `account ${user.accountId} does not exist or was erased.`;
  expect(await importAll([line])).toEqual({
    imported: 0,
    known: 0,
    refusedCount: 1,
    refused: [{ line: 1, reason }],
  });
});

test('a rotated legacy key has its overlap and then the new shape alone', async () => {
  const { actor } = await identity.makeUser();
  await importAll([entry(OLD_KEY, { account: actor.accountId })]);
  const { principal } = await identity.operations.verifyApiKey(OLD_KEY);
  const rotated = await identity.operations.rotateApiKey({
    actor,
    keyId: principal.keyId,
    gracePeriodS: 60,
    idempotency: NO_KEY,
  });
  expect(rotated.secret).toMatch(/^tg_live_/);
  expect(await codeOf(identity.operations.verifyApiKey(OLD_KEY))).toBe('accepted');
  await identity.clock.advance(60_000);
  expect(await codeOf(identity.operations.verifyApiKey(OLD_KEY))).toBe('UNAUTHORIZED');
  expect(await codeOf(identity.operations.verifyApiKey(rotated.secret))).toBe('accepted');
});

test('the relay publishes the events that an import left in the outboxes', async () => {
  await importAll([entry(OLD_KEY)]);
  await identity.clock.advance(5000);
  await identity.adapters.relay.publishPending(new AbortController().signal);
  const [created] = await identity.eventsOf('key.created', 1);
  expect(created?.data).toMatchObject({ name: 'old key', actor_user_id: null });
});
