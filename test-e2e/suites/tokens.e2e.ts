import { createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type KeyedAccount, openAccountWithKey } from '../support/accounts';
import { createApi } from '../support/api';
import { eventually } from '../support/eventually';
import {
  type StolenSigningKey,
  stealSigningKey,
  withChecksum,
} from '../support/forged-credentials';
import { type RunningTollgate, startTollgate } from '../topologies/start-tollgate';

jest.setTimeout(120_000);

type Members = Readonly<Record<string, unknown>>;

const sealingSecret = randomBytes(32);
let tollgate: RunningTollgate;
let owner: KeyedAccount;
let other: KeyedAccount;
let key: StolenSigningKey;
let header: Members;
let claims: Members;
/** Where forged tokens say that their keys can be had. */
let keyServer: Server;
let keyRequests = 0;

beforeAll(async () => {
  keyServer = createServer((_request, response) => {
    keyRequests += 1;
    response.end('{"keys":[]}');
  });
  await new Promise<void>((resolve) => keyServer.listen(0, '127.0.0.1', resolve));
  tollgate = await startTollgate({
    TOLLGATE_SEALING_KEYS: `k1:${sealingSecret.toString('base64')}`,
    TOLLGATE_EGRESS_ALLOWED_HOSTS: '127.0.0.1',
  });
  owner = await openAccountWithKey(tollgate.api, { name: 'owner' });
  other = await openAccountWithKey(tollgate.api, { name: 'other' });
  [header, claims] = readToken(owner.accessToken);
  key = stealSigningKey(tollgate.dataDirectory, sealingSecret, String(header.kid));
});

afterAll(async () => {
  keyServer?.close();
  expect(await tollgate?.stop()).toBe(0);
});

function readToken(token: string): [Members, Members] {
  const [first = '', second = ''] = token.split('.');
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Members;
  return [read(first), read(second)];
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token whose signature is made as the algorithm says. */
function forge(
  over: { readonly header?: Members; readonly claims?: Members } = {},
  signer: KeyObject | Buffer = key.privateKey,
): string {
  const content = `${encode({ ...header, ...over.header })}.${encode({ ...claims, ...over.claims })}`;
  const bytes = Buffer.from(content);
  const signature = Buffer.isBuffer(signer)
    ? createHmac('sha256', signer).update(bytes).digest()
    : sign('sha256', bytes, { key: signer, dsaEncoding: 'ieee-p1363' });
  return `${content}.${signature.toString('base64url')}`;
}

const nowS = () => Math.floor(Date.now() / 1000);
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const keyUrl = () => `http://127.0.0.1:${(keyServer.address() as AddressInfo).port}/keys`;
const jwk = () => stranger.publicKey.export({ format: 'jwk' });
const pemBody = () => key.publicKeyPem.replace(/-----.*?-----|\n/g, '');
/** The first part signed is the token's own: only its end is cut or changed. */
const withSignature = (signature: string) =>
  `${owner.accessToken.split('.').slice(0, 2).join('.')}.${signature}`;
const signatureOf = (token: string) => Buffer.from(token.split('.')[2] ?? '', 'base64url');
const without = (name: string): Members => ({ [name]: undefined });

const FORGED: readonly (readonly [string, () => string])[] = [
  [
    'alg none without a signature',
    () => `${forge({ header: { alg: 'none' } }).replace(/[^.]+$/, '')}`,
  ],
  ['alg none with a signature', () => forge({ header: { alg: 'none' } })],
  ['alg NoNe', () => forge({ header: { alg: 'NoNe' } })],
  ['no alg', () => forge({ header: without('alg') })],
  ['a list of algs', () => forge({ header: { alg: ['ES256', 'none'] } })],
  ['alg es256 in small letters', () => forge({ header: { alg: 'es256' } })],
  ['alg ES384', () => forge({ header: { alg: 'ES384' } })],
  ['alg RS256', () => forge({ header: { alg: 'RS256' } })],
  [
    'HS256 with the public key',
    () => forge({ header: { alg: 'HS256' } }, Buffer.from(key.publicKeyPem)),
  ],
  [
    'HS256 with the public key without its last line end',
    () => forge({ header: { alg: 'HS256' } }, Buffer.from(key.publicKeyPem.trimEnd())),
  ],
  [
    "HS256 with the public key's bytes",
    () => forge({ header: { alg: 'HS256' } }, Buffer.from(pemBody(), 'base64')),
  ],
  ['HS256 with an empty secret', () => forge({ header: { alg: 'HS256' } }, Buffer.alloc(0))],
  [
    'HS256 with a kid that is a file',
    () => forge({ header: { alg: 'HS256', kid: '../../../../dev/null' } }, Buffer.alloc(0)),
  ],
  ['a kid upwards', () => forge({ header: { kid: `../${key.kid}` } })],
  ['a kid that is a query', () => forge({ header: { kid: { $gt: '' } } })],
  ['a kid that is a list', () => forge({ header: { kid: [key.kid] } })],
  ['a kid named __proto__', () => forge({ header: { kid: '__proto__' } })],
  ['a kid named constructor', () => forge({ header: { kid: 'constructor' } })],
  ['no kid', () => forge({ header: without('kid') })],
  ["a stranger's key under our kid", () => forge({}, stranger.privateKey)],
  ["a stranger's key as jwk", () => forge({ header: { jwk: jwk() } }, stranger.privateKey)],
  [
    "a stranger's key as jwk without a kid",
    () => forge({ header: { jwk: jwk(), kid: undefined } }, stranger.privateKey),
  ],
  ['a jku', () => forge({ header: { jku: keyUrl(), kid: 'theirs' } }, stranger.privateKey)],
  ['a jku under our kid', () => forge({ header: { jku: keyUrl() } }, stranger.privateKey)],
  ['an x5u', () => forge({ header: { x5u: keyUrl() } }, stranger.privateKey)],
  ['an x5c', () => forge({ header: { x5c: [pemBody()] } }, stranger.privateKey)],
  ['an expired token', () => forge({ claims: { exp: nowS() - 1 } })],
  ['a token without an end', () => forge({ claims: without('exp') })],
  ['an end in words', () => forge({ claims: { exp: 'never' } })],
  ['a token that is not valid yet', () => forge({ claims: { nbf: nowS() + 600 } })],
  ['another audience', () => forge({ claims: { aud: 'other-api' } })],
  ['other audiences', () => forge({ claims: { aud: ['a', 'b'] } })],
  ['no audience', () => forge({ claims: without('aud') })],
  ['another issuer', () => forge({ claims: { iss: 'evil' } })],
  ['no issuer', () => forge({ claims: without('iss') })],
  ['another type', () => forge({ claims: { typ: 'refresh' } })],
  ['no type', () => forge({ claims: without('typ') })],
  ['an unknown user', () => forge({ claims: { sub: 'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV' } })],
  ['a user that is a query', () => forge({ claims: { sub: { $gt: '' } } })],
  ['a user that is all', () => forge({ claims: { sub: '*' } })],
  ['no user', () => forge({ claims: without('sub') })],
  [
    'a changed claim',
    () => {
      const [first, , third] = owner.accessToken.split('.');
      return `${first}.${encode({ ...claims, op: true, role: 'owner' })}.${third}`;
    },
  ],
  ["another token's signature", () => withSignature(other.accessToken.split('.')[2] ?? '')],
  ['a signature of zeros', () => withSignature(Buffer.alloc(64).toString('base64url'))],
  ['an empty signature', () => withSignature('')],
  ['half a signature', () => owner.accessToken.slice(0, -43)],
  [
    'a signature as DER',
    () => {
      const content = owner.accessToken.split('.').slice(0, 2).join('.');
      return `${content}.${sign('sha256', Buffer.from(content), key.privateKey).toString('base64url')}`;
    },
  ],
  [
    'a longer signature',
    () => {
      const longer = Buffer.concat([signatureOf(owner.accessToken), Buffer.alloc(1)]);
      return withSignature(longer.toString('base64url'));
    },
  ],
  ['half a payload', () => owner.accessToken.replace(/\.(.{40}).*\./, '.$1.')],
  ['only a header', () => owner.accessToken.split('.')[0] ?? ''],
  ['four parts', () => `${owner.accessToken}.x`],
  ['five parts, as if encrypted', () => `${owner.accessToken}.x.y`],
  ['no JSON', () => 'eyJ.eyJ.eyJ'],
  ['10,000 dots', () => '.'.repeat(4000)],
  ['a refresh token', () => owner.refreshToken],
];

const idOf = (apiKey: string) => apiKey.split('_')[2] ?? '';
const secretOf = (apiKey: string) => apiKey.slice(26, 26 + 43).replace(/^_/, '');
const swapCase = (text: string) =>
  [...text]
    .map((one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase()))
    .join('');
const bodyOf = (apiKey: string) => apiKey.slice(0, -6);
const flip = (text: string, at: number) =>
  `${text.slice(0, at)}${text[at] === 'a' ? 'b' : 'a'}${text.slice(at + 1)}`;

const FALSE_KEYS: readonly (readonly [string, () => string])[] = [
  ['a wrong checksum', () => `${bodyOf(owner.apiKey)}000000`],
  ['one character of the secret changed', () => flip(owner.apiKey, 40)],
  ['and its checksum made right', () => withChecksum(flip(bodyOf(owner.apiKey), 40))],
  ['one character of the id changed', () => withChecksum(flip(bodyOf(owner.apiKey), 12))],
  [
    "another account's secret under this id",
    () => withChecksum(`tg_live_${idOf(owner.apiKey)}_${secretOf(other.apiKey)}`),
  ],
  [
    "this secret under another account's id",
    () => withChecksum(`tg_live_${idOf(other.apiKey)}_${secretOf(owner.apiKey)}`),
  ],
  ['a secret of zeros', () => withChecksum(`tg_live_${idOf(owner.apiKey)}_${'A'.repeat(43)}`)],
  ['capital letters', () => owner.apiKey.toUpperCase()],
  ['small letters', () => owner.apiKey.toLowerCase()],
  ['letters of the other case', () => swapCase(owner.apiKey)],
  ['the prefix in capitals', () => owner.apiKey.replace('tg_live', 'TG_LIVE')],
  ['a test prefix', () => withChecksum(bodyOf(owner.apiKey).replace('tg_live', 'tg_test'))],
  ['the id alone', () => `tg_live_${idOf(owner.apiKey)}`],
  ['an empty secret', () => withChecksum(`tg_live_${idOf(owner.apiKey)}_`)],
  ['a character too few', () => owner.apiKey.slice(0, -1)],
  ['a character too many', () => `${owner.apiKey}0`],
  ['a blank within', () => `${owner.apiKey.slice(0, 30)} ${owner.apiKey.slice(30)}`],
  ['a tab before', () => `\t ${owner.apiKey}`],
  ['a comma and a second key', () => `${owner.apiKey},${other.apiKey}`],
  ['the key twice', () => `${owner.apiKey}${owner.apiKey}`],
  ['quotes around', () => `"${owner.apiKey}"`],
  ['percent encoding', () => owner.apiKey.replaceAll('_', '%5F')],
  ['an operator', () => '{"$gt":""}'],
  ['a word of sixteen letters', () => 'abcdefghijklmnop'],
  ['5,000 characters', () => 'x'.repeat(5000)],
  ['nothing', () => ''],
];

const PATHS = ['/v1/users/me', '/v1/keys', '/v1/admin/accounts', '/v1/models'];

/** What a caller can see of a 401 besides its own request id. */
async function refusal(authorization: string | undefined, path: string) {
  const answer = await createApi(tollgate.baseUrl, undefined).request('GET', path, {
    headers: authorization === undefined ? {} : { authorization },
  });
  const headers = [...answer.headers].filter(([name]) => !/^(x-request-id|date)$/.test(name));
  return JSON.stringify([answer.status, headers, answer.text]);
}

async function expectRefused(authorization: string): Promise<void> {
  for (const path of PATHS) {
    const bare = await refusal(undefined, path);
    expect(bare).toMatch(/^\[401,/);
    expect([path, await refusal(authorization, path)]).toEqual([path, bare]);
  }
  const chat = await createApi(tollgate.baseUrl, undefined).request(
    'POST',
    '/v1/chat/completions',
    {
      headers: { authorization },
      body: {},
    },
  );
  expect(JSON.stringify([chat.status, chat.text])).toBe(
    JSON.stringify([401, (JSON.parse(await refusal(undefined, '/v1/keys')) as string[])[2]]),
  );
}

test('a token that is signed with the true key is let in, so that each attack fails for its own reason', async () => {
  for (const token of [
    forge(),
    forge({ header: { jku: keyUrl() } }),
    forge({ claims: { aud: ['other', String(claims.aud)] } }),
  ]) {
    const { status } = await createApi(tollgate.baseUrl, token).request('GET', '/v1/users/me');
    expect(status).toBe(200);
  }
});

test.each(FORGED)(
  'as an access token, %s is the same 401 as nothing at all',
  async (_name, make) => {
    await expectRefused(`Bearer ${make()}`);
  },
);

test('nobody ever asked where a token says that its key is', () => {
  expect(keyRequests).toBe(0);
});

test('claims in a token give no rights: role and account are those of the user', async () => {
  const token = forge({ claims: { op: true, role: 'owner', acc: other.id, scopes: ['admin'] } });
  const api = createApi(tollgate.baseUrl, token);
  expect((await api.request('GET', '/v1/admin/accounts')).status).toBe(403);
  expect(await api.get('/v1/users/me')).toMatchObject({ account: { id: owner.id } });
  const { items } = await api.get('/v1/keys');
  expect(items).toMatchObject([{ id: owner.keyId }]);
});

test.each(FALSE_KEYS)(
  'as an API key, %s is the same 401 as nothing at all',
  async (_name, make) => {
    expect(make()).not.toBe(owner.apiKey);
    await expectRefused(`Bearer ${make()}`);
  },
);

test.each([
  ['Basic', () => `Basic ${Buffer.from(`x:${owner.apiKey}`).toString('base64')}`],
  ['no scheme', () => owner.apiKey],
  ['two schemes', () => `Bearer Bearer ${owner.apiKey}`],
  ['Token', () => `Token ${owner.apiKey}`],
  ['Bearer and a colon', () => `Bearer: ${owner.apiKey}`],
  ['Bearer without a blank', () => `Bearer${owner.apiKey}`],
])('a good key behind %s is the same 401', async (_name, make) => {
  await expectRefused(make());
});

test('a good key in a query, a cookie or another header opens nothing', async () => {
  const nobody = createApi(tollgate.baseUrl, undefined);
  const queries = ['api_key', 'key', 'access_token', 'token'];
  for (const name of queries) {
    const { status } = await nobody.request('GET', `/v1/keys?${name}=${owner.apiKey}`);
    expect([name, status]).toEqual([name, 401]);
  }
  for (const name of ['x-api-key', 'api-key', 'cookie', 'proxy-authorization']) {
    const headers = { [name]: name === 'cookie' ? `token=${owner.apiKey}` : owner.apiKey };
    expect([name, (await nobody.request('GET', '/v1/keys', { headers })).status]).toEqual([
      name,
      401,
    ]);
  }
});

test('keys that were rotated, disabled, expired or revoked are the same 401', async () => {
  const { session } = owner;
  const make = async (settings = {}) => {
    const made = await session.post('/v1/keys', { name: 'short-lived', ...settings });
    return { id: String(made.id), secret: String(made.key) };
  };
  const rotated = await make();
  const disabled = await make();
  const revoked = await make();
  const endMs = Date.now() + 4000;
  const expired = await make({ expires_at: new Date(endMs).toISOString() });
  const statusOf = async ({ secret }: { readonly secret: string }) =>
    (await createApi(tollgate.baseUrl, secret).request('GET', '/v1/keys')).status;
  // A machine that stands still for so long may find its time over.
  const status = await statusOf(expired);
  expect([200, ...(Date.now() < endMs ? [] : [401])]).toContain(status);
  for (const key of [rotated, disabled, revoked]) expect(await statusOf(key)).toBe(200);
  await session.post(`/v1/keys/${rotated.id}/rotate`, { grace_period_seconds: 0 });
  const off = await session.request('PATCH', `/v1/keys/${disabled.id}`, {
    body: { status: 'disabled' },
  });
  expect(off.status).toBe(200);
  await session.request('DELETE', `/v1/keys/${revoked.id}`);
  for (const { secret } of [rotated, disabled, revoked, expired]) {
    const ask = () => createApi(tollgate.baseUrl, secret).request('GET', '/v1/keys');
    await eventually(ask, ({ status }) => status === 401);
    await expectRefused(`Bearer ${secret}`);
  }
  expect(Date.now()).toBeGreaterThanOrEqual(endMs);
});

test('a refresh token works once, and its second use ends what the first one gave', async () => {
  const nobody = createApi(tollgate.baseUrl, undefined);
  const use = (token: unknown) =>
    nobody.request('POST', '/v1/users/refresh', { body: { refresh_token: token } });
  const first = await use(other.refreshToken);
  expect(first.status).toBe(200);
  const again = await use(other.refreshToken);
  const made = await use('not-a-refresh-token');
  expect([again.status, again.text]).toEqual([401, made.text]);
  const heir = await use(first.body?.data?.refresh_token);
  expect([heir.status, heir.text]).toEqual([401, made.text]);
  const access = await use(other.accessToken);
  expect([access.status, access.text]).toEqual([401, made.text]);
});
