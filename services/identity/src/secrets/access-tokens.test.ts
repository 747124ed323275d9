import { createSecretKey, generateKeyPairSync } from 'node:crypto';
import { createSealer, type Sealer } from '@tollgate/core';
import { createFakeClock, type FakeClock } from '@tollgate/testkit';
import { decode, type JwtPayload, sign } from 'jsonwebtoken';
import type { AccessClaims, SigningKeyRecord } from '../domain/access-token';
import type { TokenKeyring } from '../domain/ports';
import { createTokenKeyring, verifyAccessToken } from './access-tokens';

const CLAIMS: AccessClaims = {
  userId: 'usr_1',
  sessionId: 'ses_1',
  accountId: 'acc_1',
  role: 'admin',
  operator: false,
};

let clock: FakeClock;
let sealer: Sealer;
let record: SigningKeyRecord;
let keyring: TokenKeyring;

beforeEach(() => {
  clock = createFakeClock();
  sealer = createSealer([{ id: 'a', secret: Buffer.alloc(32, 'a') }], 'test');
  keyring = createTokenKeyring({ clock, sealer });
  record = keyring.generate(1, clock.now(), clock.now());
  keyring.load([record]);
});

const verify = (token: string) => verifyAccessToken(token, keyring.publicKeys(), clock);

/** What the call threw. */
function refusalOf(call: () => unknown): unknown {
  try {
    return { accepted: call() };
  } catch (error) {
    return error;
  }
}

/** Our own token with other claims or another header, really signed with our own key. */
function resigned(change: { payload?: object; header?: object; drop?: string }): string {
  const payload = { ...(decode(keyring.issue(CLAIMS).token) as JwtPayload), ...change.payload };
  if (change.drop !== undefined) Reflect.deleteProperty(payload, change.drop);
  const key = sealer.open(record.sealedPrivateKey, `identity/signing-key/${record.kid}`);
  const header = { alg: 'ES256' as const, kid: record.kid, ...change.header };
  return sign(payload, key, { algorithm: 'ES256', header });
}

/** A token put together by hand, with a signature of the attacker's choice. */
function assembled(header: object, signature: string): string {
  const [, payload = ''] = keyring.issue(CLAIMS).token.split('.');
  const head = Buffer.from(JSON.stringify(header)).toString('base64url');
  return `${head}.${payload}.${signature}`;
}

test('an issued token verifies and brings its claims back', () => {
  const { token, expiresInS } = keyring.issue(CLAIMS);
  expect(expiresInS).toBe(3600);
  expect(verify(token)).toEqual(CLAIMS);
  expect(decode(token, { complete: true })?.header).toMatchObject({
    alg: 'ES256',
    kid: record.kid,
  });
  expect(verify(resigned({}))).toEqual(CLAIMS);
});

const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

test.each<[string, () => string]>([
  ['no token', () => ''],
  ['text that is no token', () => 'a.b.c'],
  ['algorithm none', () => assembled({ alg: 'none', typ: 'JWT', kid: record.kid }, '')],
  [
    'HMAC keyed with our public key',
    () => {
      const [header = '', payload = ''] = assembled(
        { alg: 'HS256', typ: 'JWT', kid: record.kid },
        '',
      ).split('.');
      const key = createSecretKey(Buffer.from(record.publicKeyPem));
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
      expect(header).not.toBe('');
      return sign(claims, key, { algorithm: 'HS256', keyid: record.kid });
    },
  ],
  [
    'another key under our kid',
    () => {
      const claims = decode(keyring.issue(CLAIMS).token) as JwtPayload;
      return sign(claims, foreign, { algorithm: 'ES256', keyid: record.kid });
    },
  ],
  ['an unknown kid', () => resigned({ header: { kid: 'unknown' } })],
  ['a kid that is a path', () => resigned({ header: { kid: '../../dev/null' } })],
  [
    'a key brought along in the header',
    () => {
      const claims = decode(keyring.issue(CLAIMS).token) as JwtPayload;
      const header = { alg: 'ES256' as const, kid: 'theirs', jku: 'https://evil.example/keys' };
      return sign(claims, foreign, { algorithm: 'ES256', header });
    },
  ],
  ['an expired token', () => resigned({ payload: { exp: Math.floor(clock.now() / 1000) } })],
  ['a token without an end', () => resigned({ drop: 'exp' })],
  ['another audience', () => resigned({ payload: { aud: 'another-api' } })],
  ['another issuer', () => resigned({ payload: { iss: 'https://evil.example' } })],
  ['another type of token', () => resigned({ payload: { typ: 'refresh' } })],
  ['no type of token', () => resigned({ drop: 'typ' })],
  ['a token of nobody', () => resigned({ drop: 'sub' })],
  ['an invented role', () => resigned({ payload: { role: 'root' } })],
  [
    'claims changed after signing',
    () => {
      const [header = '', payload = '', signature = ''] = keyring.issue(CLAIMS).token.split('.');
      const claims = Buffer.from(payload, 'base64url')
        .toString()
        .replace('"op":false', '"op":true');
      return `${header}.${Buffer.from(claims).toString('base64url')}.${signature}`;
    },
  ],
  ['half a payload', () => keyring.issue(CLAIMS).token.replace(/\.(.{40})[^.]*\./, '.$1.')],
])('%s is refused', (_name, forge) => {
  const token = forge();
  expect(refusalOf(() => verify(token))).toMatchObject({ code: 'UNAUTHORIZED' });
});

test('a token ends an hour after it was issued', async () => {
  const { token } = keyring.issue(CLAIMS);
  await clock.advance(3_599_000);
  expect(verify(token)).toEqual(CLAIMS);
  await clock.advance(1000);
  expect(() => verify(token)).toThrow();
});

test('tokens of the old key verify after a rotation, new ones come from the new key', async () => {
  const { token } = keyring.issue(CLAIMS);
  const next = keyring.generate(2, clock.now(), clock.now() + 1000);
  keyring.load([record, next]);
  const before = decode(keyring.issue(CLAIMS).token, { complete: true });
  expect(before?.header.kid).toBe(record.kid);
  await clock.advance(1000);
  const after = decode(keyring.issue(CLAIMS).token, { complete: true });
  expect(after?.header.kid).toBe(next.kid);
  expect(verify(token)).toEqual(CLAIMS);
});

test('a record whose halves were mixed or moved is not loaded', () => {
  const other = keyring.generate(2, clock.now(), clock.now());
  const swapped = { ...other, publicKeyPem: record.publicKeyPem };
  expect(() => keyring.load([swapped])).toThrow();
  const moved = { ...other, sealedPrivateKey: record.sealedPrivateKey };
  expect(() => keyring.load([moved])).toThrow();
  expect(record.sealedPrivateKey).not.toContain('PRIVATE');
});

test('without a key nothing is signed and clients are asked to come back', () => {
  keyring.load([]);
  expect(refusalOf(() => keyring.issue(CLAIMS))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});
