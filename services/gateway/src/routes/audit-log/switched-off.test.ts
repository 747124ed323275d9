import type { identityV1 } from '@tollgate/protos';
import type { Services } from '../operation';
import { findSwitchedOff, switchQuestion } from './switched-off';

const [OFF, REFUSED, ON] = [
  '2026-02-03T10:00:00.000Z',
  '2026-02-03T10:01:00.000Z',
  '2026-02-03T10:02:00.000Z',
] as const;
const REASON = 'The vendor refused the credential (401).';
const channel = { id: 'chn_1', name: 'first' };
const first = { type: 'channel', ...channel, change: 'disabled' } as const;

/** Identity with what it noted of the channel, oldest first. */
function identityOf(notes: readonly Partial<identityV1.AuditEntry__Output>[]) {
  const kept = notes.map((one, at) => ({
    outcome: 'AUDIT_OUTCOME_SUCCEEDED',
    actorUserId: 'system',
    actorKeyId: '',
    requestJson: '',
    beforeJson: '',
    afterJson: '',
    ...one,
    id: `aud_${at}`,
  }));
  const identity = {
    listAuditEntries: async ({ end = '', resourceId = '', start = '' }) => ({
      entries: kept
        .filter((one) => one.resourceId === undefined || one.resourceId === resourceId)
        .filter(({ at = '' }) => at >= start && (end === '' || at < end))
        .reverse(),
    }),
    getAuditEntry: async ({ id = '' }) => ({ entry: kept.find((one) => one.id === id) ?? null }),
    getUser: async () => ({ user: { email: 'ann@acme.example' } }),
  };
  return { identity } as unknown as Services;
}

type Input = Parameters<typeof findSwitchedOff>[1];
const principal = { operator: true, scopes: new Set() };
const input = { context: {}, principal } as unknown as Input;
const disabled = {
  operation: 'channel.disabled',
  at: OFF,
  afterJson: JSON.stringify({ name: 'first', status: 'auto_disabled', reason: REASON }),
};
const atRefusal = { refusedAtMs: Date.parse(REFUSED) };
const then = switchQuestion('channel', channel, 'disabled', atRefusal);

test('a channel that was disabled automatically and came back has why, and when each was', async () => {
  const services = identityOf([disabled, { operation: 'channel.recovered', at: ON }]);
  expect(await findSwitchedOff([then], input, services)).toEqual([
    {
      ...first,
      at: OFF,
      by: 'system',
      reason: REASON,
      audit_entry_id: 'aud_0',
      on_again: { at: ON, by: 'system' },
    },
  ]);
});

test('one that a person enabled again has who it was', async () => {
  const enabled = {
    operation: 'PATCH /v1/admin/channels/{id}',
    at: ON,
    actorUserId: 'usr_1',
    requestJson: '{"status":"enabled"}',
  };
  const services = identityOf([disabled, enabled]);
  const by = 'ann@acme.example';
  expect(await findSwitchedOff([then], input, services)).toMatchObject([
    { by: 'system', reason: REASON, on_again: { at: ON, by } },
  ]);
});

test('one that came back long before the request did not refuse it', async () => {
  const services = identityOf([
    { ...disabled, at: '2026-02-03T09:00:00.000Z' },
    { operation: 'channel.recovered', at: OFF },
  ]);
  expect(await findSwitchedOff([then], input, services)).toEqual([]);
});

test('what a person disabled later is not told as what was disabled automatically before', async () => {
  const services = identityOf([disabled]);
  const now = switchQuestion('channel', channel, 'disabled');
  expect(await findSwitchedOff([now], input, services)).toEqual([]);
});

const main = { type: 'key', id: 'key_1', name: 'main', change: 'rotated' } as const;
const rotation = { operation: 'POST /v1/keys/{id}/rotate', actorUserId: 'usr_ann' };

test('a key of which another secret came has who rotated it before, and not who did later', async () => {
  const services = identityOf([
    { ...rotation, at: OFF },
    { ...rotation, at: ON },
  ]);
  const told = { ...main, at: OFF, by: 'ann@acme.example', on_again: null };
  const asked = switchQuestion('key', main, 'rotated', atRefusal);
  expect(await findSwitchedOff([asked], input, services)).toMatchObject([told]);
  expect(await findSwitchedOff([asked], input, identityOf([]))).toEqual([]);
});

test('a key that went with its person has who removed that person', async () => {
  const made = { operation: 'POST /v1/keys', resourceId: 'key_1', actorUserId: 'usr_bob', at: OFF };
  const removed = {
    operation: 'DELETE /v1/account/members/{id}',
    resourceId: 'usr_bob',
    actorUserId: 'usr_ann',
    beforeJson: '{"email":"bob@acme.example"}',
    at: REFUSED,
  };
  const gone = switchQuestion('key', { id: main.id, name: null }, 'revoked');
  expect(await findSwitchedOff([gone], input, identityOf([made, removed]))).toMatchObject([
    {
      type: 'user',
      id: 'usr_bob',
      name: 'bob@acme.example',
      change: 'removed',
      at: REFUSED,
      by: 'ann@acme.example',
    },
  ]);
  expect(await findSwitchedOff([gone], input, identityOf([made]))).toEqual([]);
});
