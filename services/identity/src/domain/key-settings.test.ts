import { AppError, nano } from '@tollgate/core';
import {
  applySettings,
  areSameSettings,
  defaultKeySettings,
  type KeySettingsInput,
} from './key-settings';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const DEFAULTS = defaultKeySettings();

function paramOf(input: KeySettingsInput): string | undefined {
  try {
    applySettings(DEFAULTS, input, NOW);
    return 'accepted';
  } catch (error) {
    if (error instanceof AppError && error.code === 'VALIDATION_ERROR') return error.param;
    throw error;
  }
}

test('a new key gets every scope but admin and no restriction', () => {
  expect(DEFAULTS.scopes).toEqual([
    'completions',
    'models',
    'keys',
    'billing',
    'stats',
    'webhooks',
  ]);
  expect(DEFAULTS.models).toEqual([]);
  expect(DEFAULTS.allowedIps).toEqual([]);
  expect(DEFAULTS.expiresAt).toBeUndefined();
});

test('absent settings keep their present value and marked values clear one', () => {
  const set = applySettings(
    DEFAULTS,
    {
      name: '  nightly batch ',
      expiresAt: '2026-02-01T00:00:00Z',
      maxBudget: 5_000_000_000n,
      budgetPeriod: 'day',
      requestsPerMinute: 10,
      requestsPerDay: 20,
      concurrentRequests: 3,
      metadataJson: '{"team":"red"}',
    },
    NOW,
  );
  expect(set).toMatchObject({ name: 'nightly batch', budgetPeriod: 'day', requestsPerDay: 20 });
  expect(set.maxBudget).toBe(nano(5_000_000_000n));
  expect(applySettings(set, {}, NOW)).toEqual(set);
  const cleared = applySettings(
    set,
    { expiresAt: '', maxBudget: -1n, requestsPerMinute: -1, metadataJson: '' },
    NOW,
  );
  expect(cleared).toMatchObject({ budgetPeriod: 'none', requestsPerDay: 20, metadata: {} });
  expect(cleared.expiresAt).toBeUndefined();
  expect(cleared.maxBudget).toBeUndefined();
  expect(cleared.requestsPerMinute).toBeUndefined();
});

test.each<[string, string, KeySettingsInput]>([
  ['an empty name', 'name', { name: '  ' }],
  ['a name of 101 characters', 'name', { name: 'x'.repeat(101) }],
  ['a name with a control character', 'name', { name: 'a\u0007b' }],
  ['an unknown scope', 'scopes', { scopes: ['completions', 'everything'] }],
  ['no scope at all', 'scopes', { scopes: [] }],
  ['a model name with a space', 'models', { models: ['two words'] }],
  ['101 models', 'models', { models: Array.from({ length: 101 }, (_, n) => `m${n}`) }],
  ['a pool with an operator in it', 'pools', { pools: ['$ne'] }],
  ['an address that is none', 'allowed_ips', { allowedIps: ['300.1.1.1'] }],
  ['a prefix that is too long', 'allowed_ips', { allowedIps: ['10.0.0.0/33'] }],
  ['a host name', 'allowed_ips', { allowedIps: ['example.com'] }],
  ['a zone identifier', 'allowed_ips', { allowedIps: ['fe80::1%eth0'] }],
  ['a block of IPv4 in IPv6', 'allowed_ips', { allowedIps: ['::ffff:10.0.0.0/104'] }],
  ['an address of IPv4 in IPv6', 'allowed_ips', { allowedIps: ['0:0:0:0:0:FFFF:0a00:1'] }],
  ['an expiry in the past', 'expires_at', { expiresAt: '2025-12-31T23:59:59Z' }],
  ['an expiry right now', 'expires_at', { expiresAt: '2026-01-01T00:00:00Z' }],
  ['an expiry without a zone', 'expires_at', { expiresAt: '2026-06-01T00:00:00' }],
  ['an expiry in words', 'expires_at', { expiresAt: 'tomorrow' }],
  ['a budget of nothing', 'max_budget', { maxBudget: 0n }],
  ['a negative budget', 'max_budget', { maxBudget: -2n }],
  ['a period without a budget', 'budget_period', { budgetPeriod: 'day' }],
  ['no requests per minute', 'requests_per_minute', { requestsPerMinute: 0 }],
  ['a negative day limit', 'requests_per_day', { requestsPerDay: -2 }],
  ['a broken concurrency', 'concurrent_requests', { concurrentRequests: 1.5 }],
  ['metadata that is no JSON', 'metadata', { metadataJson: '{' }],
  ['metadata that is a list', 'metadata', { metadataJson: '[]' }],
  ['metadata with a number', 'metadata', { metadataJson: '{"a":1}' }],
  ['metadata named like a prototype', 'metadata', { metadataJson: '{"__proto__":"x"}' }],
  ['metadata with an operator name', 'metadata', { metadataJson: '{"$where":"x"}' }],
  [
    'metadata with 17 names',
    'metadata',
    { metadataJson: JSON.stringify(Object.fromEntries([...Array(17).keys()].map((n) => [n, '']))) },
  ],
])('%s is refused and the field %s is named', (_name, param, input) => {
  expect(paramOf(input)).toBe(param);
});

test('single addresses become blocks and repeated entries are dropped', () => {
  const set = applySettings(
    DEFAULTS,
    { allowedIps: ['10.0.0.1', '2001:db8::/32', '10.0.0.1/32', '::1'], models: ['a', 'b', 'a'] },
    NOW,
  );
  expect(set.allowedIps).toEqual(['10.0.0.1/32', '2001:db8::/32', '::1/128']);
  expect(set.models).toEqual(['a', 'b']);
});

test('settings are the same until one of them differs', () => {
  const same = applySettings(DEFAULTS, { models: [...DEFAULTS.models] }, NOW);
  expect(areSameSettings(DEFAULTS, same)).toBe(true);
  const next = applySettings(DEFAULTS, { models: ['a'] }, NOW);
  expect(areSameSettings(DEFAULTS, next)).toBe(false);
});
