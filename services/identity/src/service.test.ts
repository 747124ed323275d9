import { join } from 'node:path';
import { parseConfig } from '@tollgate/config';
import { createSystemClock, type ServiceName, sha256Hex, silentLogger } from '@tollgate/core';
import type { EmbeddedMongo } from '@tollgate/embedded-mongo';
import { createInProcessBus, type EventBus } from '@tollgate/events';
import { openMongo } from '@tollgate/mongo';
import { createMetrics } from '@tollgate/observability';
import type { billingV1, identityV1 } from '@tollgate/protos';
import { createRpcClient, createRpcServer, definitionOf, type RpcServer } from '@tollgate/rpc';
import {
  addFakeService,
  createTestMongo,
  makeTemporaryDirectory,
  type TemporaryDirectory,
  waitFor,
} from '@tollgate/testkit';
import { identityConfigSchema } from './config';
import { importKeys } from './index';
import { createIdentityService, type IdentityService } from './service';
import { codeOf, PASSWORD, testEnvironment } from './testing/identity-fixture';

const clock = createSystemClock();
const host = { clock, logger: silentLogger, metrics: createMetrics() };

let directory: TemporaryDirectory;
let mongoServer: EmbeddedMongo;
let bus: EventBus;
let services: IdentityService[];
let closers: (() => void | Promise<void>)[];

beforeEach(async () => {
  directory = await makeTemporaryDirectory('i');
  mongoServer = await createTestMongo();
  bus = createInProcessBus({ clock, logger: silentLogger });
  services = [];
  closers = [];
});

afterEach(async () => {
  for (const close of closers) await close();
  for (const service of services) await service.stop();
  await bus.close();
  await mongoServer.close();
  await directory.remove();
});

const configOf = (overrides: Record<string, string> = {}) =>
  parseConfig(identityConfigSchema, {
    ...testEnvironment(directory.path, mongoServer.uriFor('identity')),
    TOLLGATE_INIT_OPERATOR_PASSWORD: PASSWORD,
    ...overrides,
  });

async function start(overrides: Record<string, string> = {}): Promise<IdentityService> {
  const service = createIdentityService(configOf(overrides), host, { eventBus: bus });
  services.push(service);
  await service.start();
  return service;
}

function client(ownName: ServiceName = 'gateway', socket = 'i.sock') {
  const { serviceSecret } = configOf();
  const made = createRpcClient(definitionOf('identity'), {
    address: `unix:${join(directory.path, socket)}`,
    ownName,
    security: { serviceSecret, plaintext: false },
    host,
    deadlineMs: 20_000,
  });
  closers.push(() => made.close());
  return made;
}

/** Billing's door with one method behind it; the others must not be called. */
async function startBilling(credits: billingV1.AddCreditsRequest__Output[]): Promise<RpcServer> {
  const { serviceSecret } = configOf();
  const server = createRpcServer({
    listen: `unix:${join(directory.path, 'b.sock')}`,
    security: { serviceSecret, plaintext: false },
    host,
  });
  addFakeService(server, definitionOf('billing'), ['identity'], {
    async addCredits(request) {
      credits.push(request);
      return { replayed: false };
    },
  });
  await server.listen();
  closers.push(() => server.close());
  return server;
}

function actorOf(principal: identityV1.Principal__Output): identityV1.Actor {
  const { accountId, userId, keyId, operator, role, scopes } = principal;
  return { accountId, userId, keyId, operator, role, scopes };
}

test('signing keys are sealed again with a key that came first, and open with it alone', async () => {
  const key = (id: string) => `${id}:${Buffer.alloc(32, id).toString('base64')}`;
  const startWith = (...ids: string[]) => start({ TOLLGATE_SEALING_KEYS: ids.map(key).join() });
  await (await startWith('k1')).stop();
  const service = await startWith('k2', 'k1');
  const mongo = openMongo({ uri: configOf().mongodbUri, appName: 'test', logger: silentLogger });
  await mongo.connect();
  const keys = mongo.connection.collection('identity_signing_keys');
  await waitFor(async () => {
    const found = await keys.find({}).toArray();
    return found.every(({ sealedPrivateKey }) => String(sealedPrivateKey).startsWith('v1.k2.'));
  });
  const [kept, ...others] = await keys.find({}).toArray();
  await mongo.close();
  expect(others).toEqual([]);
  await service.stop();
  await startWith('k2');
  const { keys: served } = await client().getSigningKeys({});
  expect(served.map(({ kid }) => kid)).toEqual([kept?._id]);
});

test('the first start shows a login and a key that work, and the second start shows nothing', async () => {
  const service = await start();
  const card = service.firstStart();
  expect(card?.email).toBe('operator@tollgate.local');
  const gateway = client();
  const { principal } = await gateway.verifyApiKey({ apiKey: card?.apiKey ?? '' });
  expect(principal).toMatchObject({ accountId: card?.accountId, operator: true });
  expect(principal?.maxBudget).toBeUndefined();
  const login = { email: card?.email ?? '', password: PASSWORD, remoteAddress: '192.0.2.1' };
  const { session } = await gateway.login(login);
  expect(session?.user?.role).toBe('ROLE_OPERATOR');
  expect(session?.expiresInSeconds).toBe(3600);
  const second = await start({ IDENTITY_LISTEN: `unix:${join(directory.path, 'i2.sock')}` });
  expect(second.firstStart()).toBeUndefined();
  expect(second.readiness()).toEqual({ ready: true, reasons: [] });
});

test('the first credit reaches billing as soon as billing is there', async () => {
  const service = await start();
  const credits: billingV1.AddCreditsRequest__Output[] = [];
  await startBilling(credits);
  await waitFor(() => credits.length > 0);
  expect(credits).toEqual([
    {
      accountId: service.firstStart()?.accountId,
      amount: '10000000000',
      // Nobody asked for it.
      actorId: '',
      note: 'Initial credit',
      idempotencyKey: 'first-start',
    },
  ]);
});

test('a key is created, used, rotated and deleted over the wire', async () => {
  const gateway = client();
  const { apiKey = '' } = (await start()).firstStart() ?? {};
  const { principal } = await gateway.verifyApiKey({ apiKey });
  if (principal === null) throw new Error('no principal');
  const actor = actorOf(principal);
  const settings = {
    name: 'wire',
    models: { values: ['small'] },
    maxBudget: '2500000000',
    budgetPeriod: 'BUDGET_PERIOD_DAY' as const,
    requestsPerMinute: 5,
    expiresAt: '2999-01-01T00:00:00Z',
    metadataJson: '{"team":"red"}',
  };
  const idempotency = { key: 'k1', bodyDigest: 'd1' };
  const created = await gateway.createApiKey({ actor, settings, idempotency });
  expect(created.apiKey).toMatchObject({
    name: 'wire',
    status: 'API_KEY_STATUS_ACTIVE',
    models: ['small'],
    maxBudget: '2500000000',
    budgetPeriod: 'BUDGET_PERIOD_DAY',
    requestsPerMinute: 5,
    expiresAt: '2999-01-01T00:00:00.000Z',
    metadataJson: '{"team":"red"}',
    lastUsedAt: '',
  });
  expect(created.apiKey?.requestsPerDay).toBeUndefined();
  expect(await gateway.createApiKey({ actor, settings, idempotency })).toMatchObject({
    secret: '',
    replayed: true,
    apiKey: { id: created.apiKey?.id, maxBudget: '2500000000' },
  });
  const keyId = created.apiKey?.id ?? '';
  const cleared = { maxBudget: '-1', requestsPerMinute: -1, expiresAt: '', models: { values: [] } };
  const { apiKey: updated } = await gateway.updateApiKey({ actor, keyId, settings: cleared });
  expect(updated).toMatchObject({ name: 'wire', models: [], expiresAt: '' });
  expect(updated?.maxBudget).toBeUndefined();
  expect(updated?.requestsPerMinute).toBeUndefined();
  const rotated = await gateway.rotateApiKey({ actor, keyId, gracePeriodSeconds: 60 });
  for (const secret of [created.secret, rotated.secret]) {
    expect((await gateway.verifyApiKey({ apiKey: secret })).principal?.keyId).toBe(keyId);
  }
  await gateway.deleteApiKey({ actor, keyId });
  expect(await codeOf(gateway.verifyApiKey({ apiKey: rotated.secret }))).toBe('UNAUTHORIZED');
  expect(await codeOf(gateway.getApiKey({ actor, keyId }))).toBe('NOT_FOUND');
  expect(await codeOf(gateway.getApiKey({ keyId }))).toBe('UNAUTHORIZED');
});

test('a revocation at one replica reaches the gateways that listen to another', async () => {
  const { apiKey = '' } = (await start()).firstStart() ?? {};
  await start({ IDENTITY_LISTEN: `unix:${join(directory.path, 'i2.sock')}` });
  const here = client();
  const { principal, revision } = await here.verifyApiKey({ apiKey });
  if (principal === null) throw new Error('no principal');
  const actor = actorOf(principal);
  const settings = { name: 'short-lived' };
  const { apiKey: made } = await here.createApiKey({ actor, settings });
  const revoked: string[] = [];
  const stream = client('gateway', 'i2.sock').watchRevocations({ afterRevision: revision });
  let frames = 0;
  stream.listen({
    onMessage({ changes }) {
      frames += 1;
      revoked.push(...changes.map(({ keyId }) => keyId));
    },
    onEnd() {},
  });
  closers.push(() => stream.cancel());
  await waitFor(() => frames > 0);
  await here.deleteApiKey({ actor, keyId: made?.id ?? '' });
  await waitFor(() => revoked.includes(made?.id ?? ''));
});

test.each(['completion', 'billing', 'routing', 'console'] as const)(
  'the %s may ask identity for nothing',
  async (peer) => {
    await start();
    const stranger = client(peer);
    expect(await codeOf(stranger.verifyApiKey({ apiKey: '' }))).toBe('FORBIDDEN');
    expect(await codeOf(stranger.getUser({ userId: '' }))).toBe('FORBIDDEN');
  },
);

test('keys from before v1 are imported beside a running service', async () => {
  await start();
  const old = 'not-a-real-key-from-before-v1';
  const report = await importKeys(
    configOf(),
    host,
    (async function* () {
      yield JSON.stringify({ account: 'Old Customer', name: 'old key', digest: sha256Hex(old) });
    })(),
  );
  expect(report).toEqual({ imported: 1, known: 0, refusedCount: 0, refused: [] });
  const { principal } = await client().verifyApiKey({ apiKey: old });
  expect(principal).toMatchObject({ accountName: 'Old Customer' });
});

test('what is wrong with the login providers is said before anything starts', () => {
  const parse = (json: string) => () => configOf({ TOLLGATE_OAUTH_PROVIDERS: json });
  expect(parse('{')).toThrow(/TOLLGATE_OAUTH_PROVIDERS must be JSON/);
  expect(parse('[{"id":"x","client_id":"a","client_secret":"b"}]')).toThrow(/issuer/);
  expect(parse('[{"preset":"other"}]')).toThrow(/preset/);
  expect(parse('[{"id":"Bad Id","issuer":"https://idp.example","client_id":"a"}]')).toThrow(/id/);
  const twice = '{"preset":"github","client_id":"a","client_secret":"b"}';
  expect(parse(`[${twice},${twice}]`)).toThrow(/own/);
});

test('a gateway that asks why is told whose key is refused, and one that does not gets the error', async () => {
  await start();
  const apiKey = 'tg_live_malformed';
  expect(await codeOf(client().verifyApiKey({ apiKey }))).toBe('UNAUTHORIZED');
  const { principal, refusal } = await client().verifyApiKey({ apiKey, explain: true });
  expect(principal).toBeNull();
  expect(refusal).toMatchObject({ fault: 'malformed', accountId: '', keyId: '' });
});

test('outcomes are counted by code and no label names a person or a key', async () => {
  await start();
  await codeOf(client().verifyApiKey({ apiKey: 'tg_live_malformed' }));
  const metrics = await host.metrics.expose();
  expect(metrics).toMatch(
    /tollgate_identity_key_verifications_total\{outcome="UNAUTHORIZED"\} [1-9]/,
  );
  expect(metrics).not.toContain('key_0');
});

test('an operator mends people and keys of another account over the wire', async () => {
  const gateway = client();
  const { apiKey = '' } = (await start()).firstStart() ?? {};
  const { principal } = await gateway.verifyApiKey({ apiKey });
  if (principal === null) throw new Error('no principal');
  const actor = { ...actorOf(principal), scopes: ['admin', 'keys'] };
  const person = { password: PASSWORD, displayName: 'Someone' };
  const owner = await gateway.createUser({ actor, ...person, email: 'owner@example.com' });
  const { id: accountId = '' } = owner.account ?? {};
  const joined = { ...person, accountId, role: 'ROLE_MEMBER' } as const;
  const { user } = await gateway.createUser({ actor, ...joined, email: 'member@example.com' });
  const asked = { actor, userId: user?.id ?? '', role: 'ROLE_ADMIN' } as const;
  expect(await codeOf(gateway.updateMember(asked))).toBe('NOT_FOUND');
  const changed = await gateway.updateMember({ ...asked, anyAccount: true });
  expect(changed.user).toMatchObject({ accountId, role: 'ROLE_ADMIN' });
  const theirs = { accountId, userId: owner.user?.id ?? '', role: 'ROLE_OWNER' } as const;
  const made = await gateway.createApiKey({ actor: theirs, settings: { name: 'theirs' } });
  const keyId = made.apiKey?.id ?? '';
  const off = await gateway.setApiKeyStatus({ actor, keyId, disabled: true });
  expect(off.apiKey).toMatchObject({ accountId, status: 'API_KEY_STATUS_DISABLED' });
  const on = await gateway.setApiKeyStatus({ actor, keyId, disabled: false });
  expect(on.apiKey?.status).toBe('API_KEY_STATUS_ACTIVE');
});
