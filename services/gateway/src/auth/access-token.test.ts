import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createFakeClock, type FakeClock } from '@tollgate/testkit';
import { type SignOptions, sign } from 'jsonwebtoken';
import { type AccessTokenVerifier, createAccessTokenVerifier } from './access-token';

const ISSUER = 'tollgate';
const AUDIENCE = 'tollgate-api';

function keyPair() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  return { privateKey, pem };
}

const signer = keyPair();
const stranger = keyPair();

let clock: FakeClock;
let fetched: number;
let published: readonly { kid: string; publicKeyPem: string }[];
let away: boolean;
let verifier: AccessTokenVerifier;

beforeEach(() => {
  clock = createFakeClock();
  fetched = 0;
  away = false;
  published = [{ kid: 'k1', publicKeyPem: signer.pem }];
  verifier = createAccessTokenVerifier({
    async fetchKeys() {
      fetched += 1;
      if (away) throw new Error('away');
      return { keys: published, issuer: ISSUER, audience: AUDIENCE };
    },
    entriesMax: 10,
    refetchIntervalMs: 5000,
    keysTtlMs: 600_000,
    clock,
  });
});

const seconds = () => Math.floor(clock.now() / 1000);
const claims = () => ({
  iss: ISSUER,
  aud: AUDIENCE,
  sub: 'usr_1',
  sid: 'ses_1',
  typ: 'access',
  iat: seconds(),
  exp: seconds() + 3600,
});

function token(
  changes: Record<string, unknown> = {},
  key: KeyObject = signer.privateKey,
  header: object = { kid: 'k1' },
): string {
  const payload = Object.fromEntries(
    Object.entries({ ...claims(), ...changes }).filter(([, value]) => value !== undefined),
  );
  return sign(payload, key, { algorithm: 'ES256', header } as SignOptions);
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const refused = (text: string) =>
  expect((async () => verifier.verify(text))()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });

test('a good token says who its bearer is', async () => {
  expect(await verifier.verify(token())).toEqual({
    userId: 'usr_1',
    sessionId: 'ses_1',
    expiresAtMs: (seconds() + 3600) * 1000,
  });
});

describe('a token that is not good in one way is refused', () => {
  const payload = () => part(claims());
  const attacks: Readonly<Record<string, () => string>> = {
    'algorithm none': () => `${part({ alg: 'none', kid: 'k1' })}.${payload()}.`,
    'algorithm none with a signature': () => `${part({ alg: 'none', kid: 'k1' })}.${payload()}.AA`,
    'HMAC under the public key': () => {
      const body = `${part({ alg: 'HS256', kid: 'k1' })}.${payload()}`;
      return `${body}.${createHmac('sha256', signer.pem).update(body).digest('base64url')}`;
    },
    'another key': () => token({}, stranger.privateKey),
    'an unknown key id': () => token({}, signer.privateKey, { kid: 'k9' }),
    'a key id that is a path': () => token({}, signer.privateKey, { kid: '../../etc/passwd' }),
    'no key id': () => token({}, signer.privateKey, {}),
    'a key of its own in the header': () =>
      token({}, stranger.privateKey, { kid: 'k9', jwk: { kty: 'EC' }, jku: 'http://127.0.0.1/' }),
    expired: () => token({ exp: seconds() - 1 }),
    'no expiry': () => token({ exp: undefined }),
    'not valid yet': () => token({ nbf: seconds() + 60 }),
    'another audience': () => token({ aud: 'other' }),
    'another issuer': () => token({ iss: 'other' }),
    'a refresh token': () => token({ typ: 'refresh' }),
    'no type': () => token({ typ: undefined }),
    'no subject': () => token({ sub: undefined }),
    'no session': () => token({ sid: undefined }),
    'a changed payload': () => {
      const [head, , signature] = token().split('.');
      return `${head}.${part({ ...claims(), sub: 'usr_2' })}.${signature}`;
    },
    'no token': () => 'a.b.c',
    'half a payload': () => token().replace(/\.(.{40})[^.]*\./, '.$1.'),
    'a payload that is no JSON': () => `${part({ alg: 'ES256', typ: 'JWT', kid: 'k1' })}.AAAA.AAAA`,
    'a header that is no JSON': () => `AAAA.${payload()}.AAAA`,
    'a key id that is no text': () => token({}, signer.privateKey, { kid: ['k1'] }),
  };
  test.each(Object.entries(attacks))('%s', async (_name, make) => refused(make()));
});

test('a token that was verified stops at its expiry', async () => {
  const text = token({ exp: seconds() + 10 });
  await verifier.verify(text);
  expect(verifier.verify(text)).not.toBeInstanceOf(Promise);
  await clock.advance(10_000);
  await refused(text);
});

test('a token that was verified ends with the key that it was signed with', async () => {
  const text = token();
  await verifier.verify(text);
  published = [{ kid: 'k2', publicKeyPem: keyPair().pem }];
  await clock.advance(599_999);
  await verifier.verify(text);
  await clock.advance(1);
  await refused(text);
});

test('a new signing key is fetched, and unknown ones do not flood identity', async () => {
  await verifier.verify(token());
  const next = keyPair();
  published = [...published, { kid: 'k2', publicKeyPem: next.pem }];
  await clock.advance(5000);
  await verifier.verify(token({}, next.privateKey, { kid: 'k2' }));
  expect(fetched).toBe(2);
  for (let attempt = 0; attempt < 20; attempt += 1) {
    await refused(token({}, signer.privateKey, { kid: `made-up-${attempt}` }));
  }
  expect(fetched).toBe(2);
});

test('while identity is away known keys verify and the rest cannot be decided', async () => {
  await verifier.verify(token());
  away = true;
  await clock.advance(700_000);
  await expect(verifier.verify(token({ jti: 'new' }))).resolves.toBeDefined();
  await expect(
    (async () => verifier.verify(token({}, signer.privateKey, { kid: 'k7' })))(),
  ).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});
