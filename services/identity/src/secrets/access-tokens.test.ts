import { createSealer, type Sealer } from '@tollgate/core';
import { createFakeClock, type FakeClock } from '@tollgate/testkit';
import { decode } from 'jsonwebtoken';
import type { AccessClaims, SigningKeyRecord } from '../domain/access-token';
import type { TokenKeyring } from '../domain/ports';
import { readAccessToken } from '../testing/read-access-token';
import { createTokenKeyring } from './access-tokens';

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

const verify = (token: string) => readAccessToken(token, keyring, clock.now());

/** What the call threw. */
function refusalOf(call: () => unknown): unknown {
  try {
    return { accepted: call() };
  } catch (error) {
    return error;
  }
}

test('an issued token verifies and brings its claims back', () => {
  const { token, expiresInS } = keyring.issue(CLAIMS);
  expect(expiresInS).toBe(3600);
  expect(verify(token)).toEqual(CLAIMS);
  expect(decode(token, { complete: true })?.header).toMatchObject({
    alg: 'ES256',
    kid: record.kid,
  });
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
