import type { ApiKey } from '../../api/schemas';
import { EMPTY_KEY, KEY_RULES, toKeyChanges, toKeyDraft, toNewKey } from './key-draft';

const KEY: ApiKey = {
  id: 'key_1',
  name: 'ci',
  preview: 'tg_live_abc...',
  status: 'active',
  scopes: ['completions'],
  models: ['small'],
  pools: [],
  allowed_ips: [],
  expires_at: '2026-12-24T18:30:00.000Z',
  max_budget: '25.00',
  budget_period: 'month',
  budget_resets_at: null,
  spend: '0.00',
  requests_per_minute: 60,
  requests_per_day: null,
  concurrent_requests: null,
  created_by: null,
  created_at: '2026-11-22T00:00:00.000Z',
  last_used_at: null,
  disabled_by: null,
  rotation_count: 0,
  last_rotated_at: null,
  previous_expires_at: null,
  metadata: { team: 'search' },
};

test('the short form sends what was chosen and nothing else', () => {
  expect(toNewKey({ ...EMPTY_KEY, name: ' ci ' })).toEqual({
    name: 'ci',
    scopes: ['completions', 'models'],
  });
});

test('the long form sends numbers, amounts as text, and times in UTC', () => {
  const body = toNewKey(toKeyDraft(KEY));
  expect(body).toEqual({
    name: 'ci',
    scopes: ['completions'],
    models: ['small'],
    expires_at: '2026-12-24T18:30:00.000Z',
    max_budget: '25.00',
    budget_period: 'month',
    requests_per_minute: 60,
    metadata: { team: 'search' },
  });
});

test('a change sends what differs, and null for what was emptied', () => {
  expect(toKeyChanges(toKeyDraft(KEY), KEY)).toEqual({});
  const draft = {
    ...toKeyDraft(KEY),
    name: 'build',
    max_budget: '',
    budget_period: '',
    models: [],
  };
  expect(toKeyChanges(draft, KEY)).toEqual({
    name: 'build',
    max_budget: null,
    budget_period: null,
    models: [],
  });
});

test('a period without a budget, and a time that has passed, are refused', () => {
  expect(KEY_RULES.max_budget('', { ...EMPTY_KEY, budget_period: 'day' })).not.toBeNull();
  expect(KEY_RULES.max_budget('', EMPTY_KEY)).toBeNull();
  expect(KEY_RULES.expires_at('2020-01-01T00:00')).not.toBeNull();
  expect(KEY_RULES.expires_at('')).toBeNull();
});

test('metadata is one name and value a line; a value may hold an equals sign', () => {
  expect(KEY_RULES.metadata('team=search\nquery=a=b')).toBeNull();
  expect(KEY_RULES.metadata('team')).not.toBeNull();
  expect(toNewKey({ ...EMPTY_KEY, name: 'x', metadata: 'query=a=b\n\n' }).metadata).toEqual({
    query: 'a=b',
  });
});
