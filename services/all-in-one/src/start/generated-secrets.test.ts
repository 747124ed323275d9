import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfig } from '@tollgate/config';
import { identityConfigSchema } from '@tollgate/identity';
import { loadGeneratedSecrets, storeGeneratedSecrets } from './generated-secrets';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'secrets-'));
  path = join(directory, 'secrets.json');
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});

const always = () => true;

test('secrets are made once, for the owner only, and read back at every later start', () => {
  const made = loadGeneratedSecrets(path, always);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(loadGeneratedSecrets(path, () => false)).toEqual(made);
});

test('two installations share no secret', () => {
  const first = loadGeneratedSecrets(path, always);
  const second = loadGeneratedSecrets(join(directory, 'other.json'), always);
  const common = Object.values(first).filter((value) => Object.values(second).includes(value));
  expect(common).toEqual([]);
});

test('what is made is accepted by the configuration', () => {
  const { serviceSecret, sealingKeys, keyPeppers } = loadGeneratedSecrets(path, always);
  const config = parseConfig(identityConfigSchema, {
    MONGODB_URI: 'mongodb://127.0.0.1:1/test',
    TOLLGATE_SERVICE_SECRET: serviceSecret,
    TOLLGATE_SEALING_KEYS: sealingKeys,
    TOLLGATE_KEY_PEPPERS: keyPeppers,
  });
  expect(config.sealingKeys[0]?.secret).toHaveLength(32);
});

test('the password is forgotten once it was shown', () => {
  const secrets = loadGeneratedSecrets(path, always);
  storeGeneratedSecrets(path, { ...secrets, operatorPassword: undefined });
  expect(readFileSync(path, 'utf8')).not.toContain(secrets.operatorPassword);
  expect(loadGeneratedSecrets(path, always)).toMatchObject({ sealingKeys: secrets.sealingKeys });
});

test('lost secrets are not replaced where data depends on them', () => {
  expect(() => loadGeneratedSecrets(path, () => false)).toThrow('is missing');
});

test.each(['', '{', 'null', '{"serviceSecret":"a"}'])('a damaged file (%p) is an error', (text) => {
  writeFileSync(path, text);
  expect(() => loadGeneratedSecrets(path, always)).toThrow('is damaged');
});
