import { HOUR_MS } from '@tollgate/core';
import { activeKey, type SigningKeyRecord, verifyingKeys } from './access-token';

describe('signing keys', () => {
  const key = (generation: number, activeFromAtMs: number): SigningKeyRecord => ({
    kid: `kid-${generation}`,
    publicKeyPem: '',
    sealedPrivateKey: '',
    generation,
    createdAtMs: activeFromAtMs,
    activeFromAtMs,
  });

  test('a successor is published before it signs', () => {
    const keys = [key(1, 0), key(2, HOUR_MS)];
    expect(activeKey(keys, HOUR_MS - 1)?.kid).toBe('kid-1');
    expect(verifyingKeys(keys, HOUR_MS - 1)).toHaveLength(2);
    expect(activeKey(keys, HOUR_MS)?.kid).toBe('kid-2');
  });

  test('a key verifies until the last token it signed has expired', () => {
    const keys = [key(1, 0), key(2, HOUR_MS)];
    expect(verifyingKeys(keys, 2 * HOUR_MS)).toHaveLength(2);
    expect(verifyingKeys(keys, 3 * HOUR_MS).map(({ kid }) => kid)).toEqual(['kid-2']);
  });
});
