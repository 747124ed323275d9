import { createSigningSecret, rotateSecrets, secretsInForce } from './signing-secrets';

test('a signing secret is whsec_ and 256 bits, never the same twice', () => {
  const secret = createSigningSecret();
  expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(32);
  expect(createSigningSecret()).not.toBe(secret);
});

test('there are never more than two secrets, and the old one ends with its grace period', () => {
  const first = [{ sealed: 'one', expiresAtMs: null }];
  const second = rotateSecrets(first, 'two', 60, 1000);
  expect(secretsInForce(second, 60_999).map(({ sealed }) => sealed)).toEqual(['two', 'one']);
  expect(secretsInForce(second, 61_000).map(({ sealed }) => sealed)).toEqual(['two']);
  const third = rotateSecrets(second, 'three', 60, 2000);
  expect(third.map(({ sealed }) => sealed)).toEqual(['three', 'two']);
  expect(rotateSecrets(third, 'four', 0, 2000)).toHaveLength(1);
  expect(() => rotateSecrets(first, 'two', 604_801, 0)).toThrow(/grace period/);
});
