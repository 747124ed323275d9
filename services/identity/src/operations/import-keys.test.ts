import { sha256Hex } from '../domain/key-digest';
import {
  codeOf,
  type IdentityUnderTest,
  ONCE,
  startIdentityUnderTest,
} from '../testing/identity-under-test';
import { createImportKeys, type LegacyKeyEntry } from './import-keys';

const OLD_KEY = 'not-a-real-key-from-before-v1';

let identity: IdentityUnderTest;

beforeEach(async () => {
  identity = await startIdentityUnderTest();
});

afterEach(() => identity.close());

async function* stream(entries: readonly LegacyKeyEntry[]) {
  yield* entries;
}
const importAll = (entries: readonly LegacyKeyEntry[]) =>
  createImportKeys(identity.adapters)(stream(entries));
const entry = (fields: { key: string } | { digest: string }): LegacyKeyEntry => ({
  account: 'Old Customer',
  name: 'old key',
  ...fields,
});

test('an imported key keeps working, by text or by digest, in one account', async () => {
  const report = await importAll([
    entry({ key: OLD_KEY }),
    entry({ digest: sha256Hex('another-key-from-before') }),
  ]);
  expect(report).toEqual({ imported: 2, known: 0, refused: [] });
  const first = await identity.operations.verifyApiKey(OLD_KEY);
  const second = await identity.operations.verifyApiKey('another-key-from-before');
  expect(first.principal).toMatchObject({ accountName: 'Old Customer', role: 'admin', userId: '' });
  expect(second.principal.accountId).toBe(first.principal.accountId);
  expect(first.principal.scopes).not.toContain('admin');
});

test('importing again changes nothing', async () => {
  await importAll([entry({ key: OLD_KEY })]);
  const again = await importAll([entry({ key: OLD_KEY }), entry({ digest: sha256Hex(OLD_KEY) })]);
  expect(again).toEqual({ imported: 0, known: 2, refused: [] });
});

test('entries that cannot be imported are counted and never repeated in the report', async () => {
  const report = await importAll([
    entry({ key: 'too short' }),
    entry({ key: `tg_live_0000000000000000_${'A'.repeat(43)}41VwgT` }),
    entry({ digest: 'not-a-digest' }),
    { account: 'acc_01JAAAAAAAAAAAAAAAAAAAAAAA', name: 'k', key: OLD_KEY },
    entry({ key: OLD_KEY }),
  ]);
  expect(report.imported).toBe(1);
  expect(report.refused.map((refusal) => refusal.entry)).toEqual([1, 2, 3, 4]);
  expect(JSON.stringify(report)).not.toContain('too short');
});

test('a rotated legacy key has its overlap and then the new shape alone', async () => {
  const { actor } = await identity.person();
  await importAll([{ account: actor.accountId, name: 'old key', key: OLD_KEY }]);
  const { principal } = await identity.operations.verifyApiKey(OLD_KEY);
  const rotated = await identity.operations.rotateApiKey({
    actor,
    keyId: principal.keyId,
    gracePeriodS: 60,
    idempotency: ONCE,
  });
  expect(rotated.secret).toMatch(/^tg_live_/);
  expect(await codeOf(identity.operations.verifyApiKey(OLD_KEY))).toBe('accepted');
  await identity.clock.advance(60_000);
  expect(await codeOf(identity.operations.verifyApiKey(OLD_KEY))).toBe('UNAUTHORIZED');
  expect(await codeOf(identity.operations.verifyApiKey(rotated.secret))).toBe('accepted');
});

test('the relay announces what an import left in the outboxes', async () => {
  await importAll([entry({ key: OLD_KEY })]);
  await identity.clock.advance(5000);
  expect(await identity.adapters.relay.relayPending()).toBe(1);
  const [created] = await identity.eventsOf('key.created', 1);
  expect(created?.data).toMatchObject({ name: 'old key', actor_user_id: null });
});
