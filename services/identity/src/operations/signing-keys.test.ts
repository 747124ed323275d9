import { createFakeClock, createRecordingLogger } from '@tollgate/testkit';
import type { SigningKeyRecord } from '../domain/access-token';
import type { SigningKeyStore, TokenKeyring } from '../domain/ports';
import { maintainSigningKeys } from './signing-keys';

const made: SigningKeyRecord = {
  kid: 'kid_made',
  publicKeyPem: '',
  sealedPrivateKey: '',
  generation: 1,
  createdAtMs: 0,
  activeFromAtMs: 0,
};

async function logOf(isKept: boolean): Promise<string> {
  const logger = createRecordingLogger();
  const signingKeys: SigningKeyStore = {
    insert: async () => isKept,
    list: async () => [],
    remove: async () => {},
  };
  const keyring = { generate: () => made, load() {} } as Partial<TokenKeyring> as TokenKeyring;
  const clock = createFakeClock();
  await maintainSigningKeys({ clock, logger, signingKeys, keyring, rotateAfterMs: 1 });
  return logger.text();
}

test('a replica names the signing key that it made, and none that it had to throw away', async () => {
  await expect(logOf(true)).resolves.toContain('kid_made');
  await expect(logOf(false)).resolves.not.toContain('kid_made');
});
