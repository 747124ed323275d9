import { nano } from '@tollgate/core';
import type { Actor } from './actor';
import { coversCidr, defaultKeySettings, type KeySettings, parseCidr } from './key-settings';
import {
  type Grantor,
  inheritedSettings,
  type Rights,
  requireChangeable,
  requireCreatable,
  requireGovernable,
  requireShowable,
  rightsOfKey,
  rightsOfPerson,
  widerRights,
} from './rights';

const NOW = 4_070_908_800_000;
const settings = (over: Partial<KeySettings> = {}): KeySettings => ({
  ...defaultKeySettings(),
  ...over,
});
const rights = (over: Partial<Rights> = {}): Rights => ({ ...settings(), role: 'owner', ...over });
const actor = (over: Partial<Actor> = {}): Actor => ({
  accountId: 'acc_1',
  userId: 'usr_1',
  keyId: 'key_1',
  operator: false,
  role: 'owner',
  scopes: settings().scopes,
  ...over,
});
const grantor = (over: Partial<KeySettings> = {}): Grantor => ({
  rights: rightsOfKey(settings(over), actor()),
  keyId: 'key_1',
});
const FORBIDDEN = expect.objectContaining({ code: 'FORBIDDEN' }) as Error;

const BOUND: Partial<Rights> = {
  role: 'admin',
  scopes: ['keys', 'models'],
  models: ['small', 'large'],
  pools: ['gold', 'self'],
  allowedIps: ['10.0.0.0/8', '2001:db8::/32'],
  expiresAt: NOW,
  maxBudget: nano(5n),
  budgetPeriod: 'day',
  requestsPerMinute: 5,
  requestsPerDay: 5,
  concurrentRequests: 5,
};

test.each<[keyof Rights, Partial<Rights>[], Partial<Rights>[]]>([
  ['role', [{ role: 'owner' }, { role: 'operator' }], [{ role: 'member' }]],
  ['scopes', [{ scopes: ['stats'] }, { scopes: ['keys', 'stats'] }], [{ scopes: ['keys'] }]],
  ['models', [{ models: [] }, { models: ['small', 'huge'] }], [{ models: ['large', 'small'] }]],
  ['pools', [{ pools: [] }, { pools: ['silver'] }], [{ pools: ['gold'] }]],
  [
    'allowedIps',
    [{ allowedIps: [] }, { allowedIps: ['10.0.0.0/7'] }, { allowedIps: ['10.1.0.0/16', '::/0'] }],
    [{ allowedIps: ['10.1.0.0/16'] }, { allowedIps: ['2001:db8:1::/48', '10.0.0.1/32'] }],
  ],
  ['expiresAt', [{ expiresAt: undefined }, { expiresAt: NOW + 1 }], [{ expiresAt: NOW - 1 }]],
  ['maxBudget', [{ maxBudget: undefined }, { maxBudget: nano(6n) }], [{ maxBudget: nano(4n) }]],
  ['budgetPeriod', [{ budgetPeriod: 'none' }, { budgetPeriod: 'month' }], []],
  [
    'requestsPerMinute',
    [{ requestsPerMinute: undefined }, { requestsPerMinute: 6 }],
    [{ requestsPerMinute: 4 }],
  ],
  ['requestsPerDay', [{ requestsPerDay: undefined }, { requestsPerDay: 6 }], []],
  ['concurrentRequests', [{ concurrentRequests: undefined }, { concurrentRequests: 6 }], []],
])('%s is wider or not, apart from every other right', (right, wider, within) => {
  const second = rights(BOUND);
  expect(widerRights(second, second)).toEqual([]);
  for (const over of wider) expect(widerRights({ ...second, ...over }, second)).toEqual([right]);
  for (const over of within) expect(widerRights({ ...second, ...over }, second)).toEqual([]);
  // A grantor with every right covers each of them.
  for (const over of [...wider, ...within]) {
    const everything = rights({ role: 'operator', scopes: ['keys', 'models', 'stats'] });
    expect(widerRights({ ...second, ...over }, everything)).toEqual([]);
  }
});

test('switching on is wider, switching off is not', () => {
  expect(widerRights(rights(), rights({ disabled: true }))).toEqual(['disabled']);
  expect(widerRights(rights({ disabled: true }), rights())).toEqual([]);
});

test.each([
  ['10.0.0.0/8', '10.255.0.0/16', true],
  ['10.0.0.0/8', '11.0.0.0/16', false],
  ['10.0.0.0/8', '10.0.0.0/7', false],
  ['0.0.0.0/0', '255.255.255.255/32', true],
  ['0.0.0.0/0', '::1/128', false],
  ['::/0', '2001:db8::/32', true],
  ['2001:db8::/33', '2001:db8:8000::/33', false],
  // Written without its host bits cleared, it is still the same block.
  ['10.1.2.3/8', '10.200.0.0/16', true],
])('%s holds all of %s: %s', (whole, part, expected) => {
  expect(coversCidr(String(parseCidr(whole)), String(parseCidr(part)))).toBe(expected);
});

test('what is used up is handed on to nobody, and rotating oneself hands nothing on', () => {
  const spender = grantor({ maxBudget: nano(5n) });
  const equal = settings({ maxBudget: nano(5n) });
  expect(() => requireCreatable(spender, equal)).toThrow(FORBIDDEN);
  expect(() => requireShowable(spender, { ...equal, role: 'owner' }, 'key_2')).toThrow(FORBIDDEN);
  expect(() => requireShowable(spender, { ...equal, role: 'owner' }, 'key_1')).not.toThrow();
});

test('a secret that was replaced makes none that outlives it', () => {
  const late = rightsOfKey(settings(), actor({ expiresAt: NOW }));
  expect(late.expiresAt).toBe(NOW);
  const former: Grantor = { rights: late, keyId: 'key_1' };
  expect(() => requireShowable(former, rights(), 'key_1')).toThrow(FORBIDDEN);
  expect(inheritedSettings(settings(), former).expiresAt).toBe(NOW);
});

test('what a stronger key has may stay when a weaker one edits it', () => {
  const weak = grantor({ scopes: ['keys'] });
  const strong = rights({ role: 'operator', scopes: ['keys', 'billing', 'admin'] });
  expect(() => requireChangeable(weak, strong, { ...strong })).not.toThrow();
  const less = { ...strong, models: ['small'], disabled: true };
  expect(() => requireChangeable(weak, strong, less)).not.toThrow();
  const more: Rights = { ...strong, scopes: ['keys', 'billing', 'stats', 'admin'] };
  expect(() => requireChangeable(weak, strong, more)).toThrow(FORBIDDEN);
});

test('the scope of operators is given by operators, as persons and with keys that have it', () => {
  const admin = settings({ scopes: ['keys', 'admin'] });
  const person = (operator: boolean): Grantor => ({
    rights: rightsOfPerson(actor({ operator, keyId: undefined, scopes: [] })),
    keyId: undefined,
  });
  expect(() => requireCreatable(person(true), admin)).not.toThrow();
  expect(() => requireCreatable(person(false), admin)).toThrow(FORBIDDEN);
  // Whose maker is no operator any more.
  const demoted = rightsOfKey(admin, actor({ scopes: ['keys', 'admin'] }));
  expect(demoted.scopes).toEqual(['keys']);
});

test('a restricted key governs itself and keys that may do no more, and no other', () => {
  const restricted = settings({ maxBudget: nano(5n), models: ['small'] });
  const narrow = { rights: rightsOfKey(restricted, actor()), keyId: 'key_1' };
  expect(() => requireGovernable(narrow, settings(), 'key_2')).toThrow(FORBIDDEN);
  expect(() => requireGovernable(narrow, settings(), 'key_1')).not.toThrow();
  const within = settings({ maxBudget: nano(4n), models: ['small'] });
  expect(() => requireGovernable(narrow, within, 'key_2')).not.toThrow();
  const unrestricted = {
    rights: rightsOfKey(settings({ scopes: ['keys'] }), actor()),
    keyId: 'key_1',
  };
  expect(() => requireGovernable(unrestricted, settings(), 'key_2')).not.toThrow();
});
