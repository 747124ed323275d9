import { embeddedAdditions, PLACEHOLDER_SETTINGS } from './embedded-environment';

const additions = (environment: Record<string, string>) =>
  embeddedAdditions(environment, PLACEHOLDER_SETTINGS);

test('everything is bound to loopback or to sockets that only the owner can reach', () => {
  const added = additions({});
  expect(added.TOLLGATE_BIND).toBe('127.0.0.1');
  const addresses = Object.entries(added).filter(([name]) => /_(LISTEN|ADDRESS)$/.test(name));
  expect(addresses).toHaveLength(12);
  for (const [, address] of addresses) expect(address).toMatch(/^unix:/);
});

test('what the operator set stays, each engine given replaces its embedded twin', () => {
  const added = additions({ MONGODB_URI: 'mongodb://db', TOLLGATE_BIND: '0.0.0.0' });
  expect(added).not.toHaveProperty('MONGODB_URI');
  expect(added).not.toHaveProperty('TOLLGATE_BIND');
});

test('a secret given by a file counts as given, an empty variable does not', () => {
  const added = additions({ TOLLGATE_SEALING_KEYS_FILE: '/run/keys', TOLLGATE_KEY_PEPPERS: '' });
  expect(added).not.toHaveProperty('TOLLGATE_SEALING_KEYS');
  expect(added).toHaveProperty('TOLLGATE_KEY_PEPPERS');
});
