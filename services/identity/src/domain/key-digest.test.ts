import { createSecretKey } from 'node:crypto';
import { sha256Hex } from '@tollgate/core';
import { createKeyDigester } from './key-digest';

const pepper = (letter: string) => createSecretKey(Buffer.alloc(32, letter));
const KEY = 'tg_live_some-key-text';

test('a digest is recognised under any pepper, and new ones use the first', () => {
  const old = createKeyDigester([pepper('a')]);
  const rotated = createKeyDigester([pepper('b'), pepper('a')]);
  const stored = old.digest(KEY);
  expect(rotated.matches(stored, KEY)).toBe(true);
  expect(rotated.digest(KEY)).not.toBe(stored);
  expect(old.matches(rotated.digest(KEY), KEY)).toBe(false);
});

test('a digest of another key or under a removed pepper is not recognised', () => {
  const digester = createKeyDigester([pepper('a')]);
  expect(digester.matches(digester.digest(KEY), `${KEY}x`)).toBe(false);
  expect(createKeyDigester([pepper('b')]).matches(digester.digest(KEY), KEY)).toBe(false);
});

test('a legacy key is found by the digest of its SHA-256 under any pepper', () => {
  const old = createKeyDigester([pepper('a')]);
  const rotated = createKeyDigester([pepper('b'), pepper('a')]);
  const stored = old.digestLegacy(sha256Hex('a-legacy-key-of-old'));
  expect(rotated.legacyCandidates('a-legacy-key-of-old')).toContain(stored);
  expect(rotated.legacyCandidates('another-legacy-key')).not.toContain(stored);
});

test('digests for different purposes never coincide', () => {
  const digester = createKeyDigester([pepper('a')]);
  const values = [
    digester.digest('x'),
    digester.digestLegacy('x'),
    ...digester.derive('nonce', 'x'),
    ...digester.derive('verifier', 'x'),
  ];
  expect(new Set(values).size).toBe(values.length);
});

test('without a pepper there is no digester', () => {
  expect(() => createKeyDigester([])).toThrow(RangeError);
});
