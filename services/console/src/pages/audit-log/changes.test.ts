import { describeChanges, describeWrite, listChanges, nameIn } from './changes';

const PATCH = 'PATCH /v1/admin/channels/{id}';
const POST = 'POST /v1/keys';
const DELETE = 'DELETE /v1/keys/{id}';

test('a change shows what differs and nothing else', () => {
  const before = { name: 'ci', models: ['a'], max_budget: null, scopes: ['keys'] };
  const after = { name: 'build', models: ['a'], max_budget: '5.00', scopes: ['keys', 'stats'] };
  expect(listChanges(PATCH, { before, after })).toEqual([
    { name: 'name', before: 'ci', after: 'build' },
    { name: 'max_budget', before: '–', after: '5.00' },
    { name: 'scopes', before: '["keys"]', after: '["keys","stats"]' },
  ]);
});

test('what was made had nothing before, and what was deleted has nothing after', () => {
  const made = listChanges(POST, { before: null, after: { name: 'ci' } });
  expect(made).toEqual([{ name: 'name', before: '–', after: 'ci' }]);
  const deleted = listChanges(DELETE, { before: { id: 'k', name: 'ci' }, after: null });
  expect(deleted).toContainEqual({ name: 'name', before: 'ci', after: '–' });
  expect(listChanges(DELETE, { before: null, after: null })).toEqual([]);
});

test('a check that left its channel as it was changed nothing', () => {
  const before = { id: 'chn_1', name: 'first', type: 'openai' };
  for (const after of [null, { healthy: true, model: 'sim-small' }]) {
    expect(listChanges('POST /v1/admin/channels/{id}/health', { before, after })).toEqual([]);
  }
});

test('a small change is said in the sentence, and a large one stands in the table alone', () => {
  const said = (before: object, after: object) =>
    describeChanges(
      listChanges(PATCH, {
        before: { name: 'first', ...before },
        after: { name: 'first', ...after },
      }),
    );
  expect(said({ priority: 0 }, { priority: 10 })).toBe('priority 0 → 10');
  expect(said({ a: 1, b: 1, c: 1 }, { a: 2, b: 2, c: 2 })).toBe('');
  expect(said({ note: 'x' }, { note: 'x'.repeat(99) })).toBe('');
  expect(nameIn(null, { name: 'first' })).toBe('first');
  expect(nameIn({ id: 'chn_1' }, null)).toBeUndefined();
});

test('what every write changes is no change', () => {
  const before = { status: 'active', updated_at: '2026-11-23T22:33:35.350Z', version: 1 };
  const after = { status: 'suspended', updated_at: '2026-11-23T22:34:00.000Z', version: 2 };
  expect(describeWrite('PATCH /v1/admin/accounts/{id}', { before, after }, 'Acme', 'USD')).toBe(
    'Changed account “Acme”: status active → suspended',
  );
});

test('of money that was given or taken the amount is said', () => {
  const before = { name: 'Acme' };
  const said = (path: string, after: object) =>
    describeWrite(`POST /v1/admin/${path}`, { before, after: { ...after } }, undefined, 'USD');
  expect(said('accounts/{id}/credits', { amount: '5.00' })).toBe('Granted credit: “Acme”: $5.00');
  expect(said('accounts/{id}/adjustments', { amount: '-1.75' })).toBe(
    'Adjusted a balance: “Acme”: −\u2060$1.75',
  );
  const codes = [{ amount: '5.00' }, { amount: '5.00' }];
  const made = { before: null, after: { codes } };
  expect(describeWrite('POST /v1/admin/codes', made, undefined, 'USD')).toBe(
    'Created codes: 2 of $5.00',
  );
});

test('a write is told with the name that its own record has, and what differed before and after', () => {
  const before = { name: 'first', priority: 0 };
  const changed = { before, after: { name: 'first', priority: 10 } };
  expect(describeWrite(PATCH, changed, 'of a list', 'USD')).toBe(
    'Changed channel “first”: priority 0 → 10',
  );
  const made = { before: null, after: { name: 'ci' } };
  expect(describeWrite(POST, made, undefined, 'USD')).toBe('Created API key “ci”');
  const unnamed = { before: null, after: null };
  expect(describeWrite(DELETE, unnamed, 'ci', 'USD')).toBe('Revoked an API key: “ci”');
});
