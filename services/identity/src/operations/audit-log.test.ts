import { createId, createSystemClock } from '@tollgate/core';
import { createEvent, createInProcessBus, toOutgoing } from '@tollgate/events';
import { waitFor } from '@tollgate/testkit';
import type { Actor } from '../domain/actor';
import type { AuditLogEntry, AuditLogFilter } from '../domain/audit-log';
import { subscribeToSystemActs } from '../events/system-acts-consumer';
import { codeOf, type IdentityFixture, startIdentityFixture } from '../testing/identity-fixture';

const ALL: AuditLogFilter = {
  byActor: undefined,
  accountId: undefined,
  operation: undefined,
  resourceId: undefined,
  startAtMs: undefined,
  endAtMs: undefined,
};
const END = { succeeded: true, errorCode: '', after: '{}', accountId: '', resourceId: '' };
const page = { limit: 0, cursor: '' };

let identity: IdentityFixture;
let operator: Actor;

beforeEach(async () => {
  identity = await startIdentityFixture({ TOLLGATE_IDENTITY_AUDIT_RETENTION_DAYS: '30' });
  operator = (await identity.makeUser({ role: 'operator' })).actor;
});
afterEach(() => identity.close());

async function begin(changes: Partial<AuditLogEntry> = {}): Promise<AuditLogEntry> {
  const entry: AuditLogEntry = {
    id: createId('auditEntry'),
    atMs: identity.clock.now(),
    operation: 'PATCH /v1/keys/{id}',
    actorAccountId: 'acc_a',
    actorUserId: 'usr_a',
    actorKeyId: '',
    operator: false,
    accountId: 'acc_a',
    resourceType: 'keys',
    resourceId: 'key_a',
    remoteAddress: '203.0.113.7',
    requestId: 'req_a',
    outcome: 'unknown',
    errorCode: '',
    request: '{"name":"b"}',
    before: '{"name":"a"}',
    after: '',
    ...changes,
  };
  await identity.operations.beginAuditEntry(entry);
  return entry;
}

const list = async (changes: Partial<AuditLogFilter> = {}, asked = page) =>
  identity.operations.listAuditEntries(operator, { ...ALL, ...changes }, asked);
const idsOf = async (changes: Partial<AuditLogFilter>) =>
  (await list(changes)).items.map(({ id }) => id);

test('an entry is there from its beginning, and says afterwards how the write ended', async () => {
  const entry = await begin();
  const get = () => identity.operations.getAuditEntry(operator, entry.id);
  expect(await get()).toEqual(entry);
  await identity.operations.endAuditEntry(entry.id, { ...END, after: '{"name":"b"}' });
  expect(await get()).toEqual({ ...entry, outcome: 'succeeded', after: '{"name":"b"}' });
  const broken = await begin();
  const failed = { ...END, succeeded: false, errorCode: 'DATABASE_ERROR', accountId: 'acc_b' };
  await identity.operations.endAuditEntry(broken.id, failed);
  expect(await identity.operations.getAuditEntry(operator, broken.id)).toMatchObject({
    outcome: 'unknown',
    errorCode: 'DATABASE_ERROR',
    accountId: 'acc_b',
    resourceId: 'key_a',
  });
});

test('an entry of which nothing was done goes', async () => {
  const { id } = await begin();
  await identity.operations.endAuditEntry(id, undefined);
  expect(await codeOf(identity.operations.getAuditEntry(operator, id))).toBe('NOT_FOUND');
  expect((await list()).items).toEqual([]);
});

test('a list is narrowed by each filter, newest first, and leaves out what may be long', async () => {
  const first = await begin({ accountId: 'acc_b', resourceId: 'key_b' });
  const second = await begin({ actorUserId: 'usr_b', operation: 'DELETE /v1/keys/{id}' });
  const third = await begin({ actorUserId: 'usr_b', actorKeyId: 'key_c' });
  expect(await idsOf({})).toEqual([third.id, second.id, first.id]);
  expect(await idsOf({ accountId: 'acc_b' })).toEqual([first.id]);
  expect(await idsOf({ resourceId: 'key_b' })).toEqual([first.id]);
  expect(await idsOf({ byActor: 'usr_b' })).toEqual([third.id, second.id]);
  expect(await idsOf({ byActor: 'key_c' })).toEqual([third.id]);
  expect(await idsOf({ operation: 'DELETE /v1/keys/{id}', byActor: 'usr_b' })).toEqual([second.id]);
  expect(await idsOf({ byActor: 'usr_nobody' })).toEqual([]);
  expect((await list()).items[0]).toMatchObject({ request: '', before: '', after: '' });
});

test('a list comes in pages, and by the time at which entries were begun', async () => {
  const made = [];
  for (let count = 0; count < 5; count += 1) made.push((await begin()).id);
  const first = await list({}, { limit: 3, cursor: '' });
  const rest = await list({}, { limit: 3, cursor: first.nextCursor });
  const seen = [...first.items, ...rest.items].map(({ id }) => id);
  expect(seen).toEqual([...made].reverse());
  expect(rest.nextCursor).toBe('');
  // Ids tell the time of the machine, which the clock of the test does not change.
  expect(await idsOf({ endAtMs: Date.UTC(2020, 0) })).toEqual([]);
  expect(await idsOf({ startAtMs: Date.UTC(2020, 0) })).toHaveLength(5);
});

test('what is too long to keep is left out with a word', async () => {
  const { id } = await begin({ before: JSON.stringify({ text: 'x'.repeat(70_000) }) });
  expect(await identity.operations.getAuditEntry(operator, id)).toMatchObject({
    before: '{"truncated":true}',
    request: '{"name":"b"}',
  });
});

test('an entry expires after the retention that is configured', async () => {
  const { id, atMs } = await begin();
  const stored = await identity.mongo.connection
    .collection<{ _id: string; expiresAt: Date }>('identity_audit_log')
    .findOne({ _id: id });
  expect(stored?.expiresAt.getTime()).toBe(atMs + 30 * 24 * 3_600_000);
});

test('only operators read the log', async () => {
  const { id } = await begin();
  const { actor } = await identity.makeUser();
  const scopeless = { ...operator, keyId: 'key_of_an_operator', scopes: ['keys'] };
  for (const reader of [actor, scopeless]) {
    expect(await codeOf(identity.operations.getAuditEntry(reader, id))).toBe('FORBIDDEN');
    expect(await codeOf(identity.operations.listAuditEntries(reader, ALL, page))).toBe('FORBIDDEN');
  }
});

test('a channel that was disabled automatically and came back leaves an entry of the system each, once', async () => {
  const bus = createInProcessBus({ clock: createSystemClock(), logger: identity.logger });
  const { recordSystemAct } = identity.operations;
  const subscription = await subscribeToSystemActs({ bus, recordSystemAct });
  const data = { channel_id: 'chn_a', name: 'first', owner_account_id: null, reason: 'refused' };
  const disabled = createEvent('channel.disabled', data, identity.clock);
  const recovered = createEvent('channel.recovered', data, identity.clock);
  for (const event of [disabled, disabled, recovered]) {
    await bus.publish([toOutgoing('operator', event)], { timeoutMs: 20_000 });
  }
  await waitFor(async () => ((await list()).items.length === 2 ? true : undefined));
  const entries = (await list({ byActor: 'system', resourceId: 'chn_a' })).items;
  expect(entries.map(({ operation }) => operation)).toEqual([
    'channel.recovered',
    'channel.disabled',
  ]);
  const id = entries[1]?.id ?? '';
  expect(await identity.operations.getAuditEntry(operator, id)).toMatchObject({
    atMs: identity.clock.now(),
    outcome: 'succeeded',
    resourceType: 'channels',
    actorUserId: 'system',
    actorAccountId: '',
    accountId: '',
    before: '{"name":"first","status":"enabled"}',
    after: '{"name":"first","status":"auto_disabled","reason":"refused"}',
  });
  await subscription.stop();
  await bus.close();
});
