import { join } from 'node:path';
import { parseConfig } from '@tollgate/config';
import { createSystemClock, type ServiceName, silentLogger } from '@tollgate/core';
import { createEmbeddedMongo, type EmbeddedMongo, IN_MEMORY } from '@tollgate/embedded-mongo';
import {
  createEvent,
  createInProcessBus,
  type EventBus,
  type TollgateEvent,
  toOutgoing,
  toUsageRecordEvent,
} from '@tollgate/events';
import type { ServiceModule } from '@tollgate/lifecycle';
import { openMongo } from '@tollgate/mongo';
import { createMetrics, type Metrics } from '@tollgate/observability';
import { type billingV1, completionV1 } from '@tollgate/protos';
import {
  completionDefinition,
  createRpcClient,
  createRpcServer,
  definitionOf,
  type RpcServer,
} from '@tollgate/rpc';
import {
  addFakeService,
  makeTemporaryDirectory,
  type TemporaryDirectory,
  waitFor,
} from '@tollgate/testkit';
import { billingConfigSchema } from './config';
import { createBillingService } from './service';
import { ACCOUNT_ID, closeRecord, HOLDER, n, usageRecord } from './testing/fixtures';

const SECRET = 'a-service-secret-that-exists-only-in-this-test';
const clock = createSystemClock();
const KEY = { keyId: 'key_1', limit: '50', period: 'BUDGET_PERIOD_DAY' } as const;

let directory: TemporaryDirectory;
let store: EmbeddedMongo;
let bus: EventBus;
let metrics: Metrics;
let service: ServiceModule;
let clients: { close(): void }[];
let heard: TollgateEvent[];

beforeEach(async () => {
  directory = await makeTemporaryDirectory('b');
  store = await createEmbeddedMongo({
    dataPath: IN_MEMORY,
    listen: { socketPath: join(directory.path, 'm.sock') },
  });
  bus = createInProcessBus({ clock, logger: silentLogger, validate: true });
  metrics = createMetrics();
  clients = [];
  heard = [];
  await bus.subscribe({
    group: 'listener',
    topics: ['tollgate.ledger.v1', 'tollgate.billing.v1', 'tollgate.dead-letter.v1'],
    handle: async (events) => {
      heard.push(...events.map(({ event }) => event));
    },
  });
  await start();
});

afterEach(async () => {
  for (const client of clients) client.close();
  await service.stop();
  await bus.close();
  await store.close();
  await directory.remove();
});

async function start(changes: Record<string, string> = {}): Promise<void> {
  const config = parseConfig(billingConfigSchema, {
    BILLING_LISTEN: `unix:${join(directory.path, 'b.sock')}`,
    MONGODB_URI: store.uriFor('billing'),
    TOLLGATE_SERVICE_SECRET: SECRET,
    TOLLGATE_SEALING_KEYS: `k1:${Buffer.alloc(32, 'k').toString('base64')}`,
    ...changes,
  });
  service = createBillingService(
    config,
    { clock, logger: silentLogger, metrics },
    {
      eventBus: bus,
    },
  );
  await service.start();
}

function connect(ownName: ServiceName) {
  const client = createRpcClient(definitionOf('billing'), {
    address: `unix:${join(directory.path, 'b.sock')}`,
    ownName,
    security: { serviceSecret: SECRET, plaintext: false },
    host: { clock, logger: silentLogger },
    deadlineMs: 20_000,
    breaker: false,
  });
  clients.push(client);
  return client;
}

async function credit(amount: number): Promise<void> {
  const request = {
    accountId: ACCOUNT_ID,
    amount: `${amount}`,
    note: 'first',
    idempotencyKey: 'k',
  };
  await connect('gateway').addCredits(request);
}

function acquire(changes: Record<string, unknown> = {}) {
  return connect('completion').acquireLease({
    accountId: ACCOUNT_ID,
    holder: HOLDER,
    holderAddress: `unix:${join(directory.path, 'c.sock')}`,
    nonce: 'nonce-1',
    amount: '100',
    minimum: '100',
    ...changes,
  });
}

function protoRecord(number: number, changes: billingV1.UsageRecord = {}): billingV1.UsageRecord {
  const { prices, reserved, amount, vendorAbsorbed, ...record } = usageRecord({ number });
  return {
    accountId: record.accountId,
    lease: record.lease,
    number: record.number,
    holder: record.holder,
    epoch: record.epoch,
    endedAt: record.endedAt,
    startedAt: record.startedAt,
    requestId: record.requestId,
    keyId: record.keyId,
    model: record.model,
    requestedModel: record.requestedModel,
    priceVersion: record.priceVersion,
    promptTokens: record.promptTokens,
    completionTokens: record.completionTokens,
    source: record.source,
    reason: record.reason,
    status: record.status,
    kind: 'USAGE_KIND_USAGE',
    promptPrice: prices.prompt.toString(),
    completionPrice: prices.completion.toString(),
    cachedPromptPrice: prices.cachedPrompt.toString(),
    drawn: reserved.toString(),
    amount: amount.toString(),
    vendorAbsorbed: vendorAbsorbed.toString(),
    ...changes,
  };
}

async function announce(records: readonly Parameters<typeof toUsageRecordEvent>[0][]) {
  const events = records.map((record) =>
    toOutgoing(ACCOUNT_ID, createEvent('usage.recorded', toUsageRecordEvent(record), clock)),
  );
  await bus.publish(events, { timeoutMs: 20_000 });
}

function postedSeqs(): readonly number[] {
  return heard.flatMap((event) => (event.type === 'ledger.entry_posted' ? [event.data.seq] : []));
}

test('usage that completion announces is charged, posted and published', async () => {
  await credit(1_000);
  expect(await acquire()).toMatchObject({
    lease: 1,
    remaining: '100',
    ttlMs: 15_000,
    marginMs: 3_000,
    nextNumber: 1,
    available: '900',
  });
  const budget = { limit: n(500), period: 'none' as const };
  await announce([usageRecord({ budget, firstTokenMs: 3 }), usageRecord({ number: 2 })]);
  await announce([usageRecord(), usageRecord({ number: 2 }), closeRecord({ number: 3 })]);
  const balance = await connect('gateway').getBalance({ accountId: ACCOUNT_ID });
  expect(balance).toMatchObject({
    balance: '980',
    reserved: '0',
    available: '980',
    currency: 'USD',
  });
  await waitFor(() => postedSeqs().length >= 3);
  expect(postedSeqs()).toEqual([1, 2, 3]);
  expect(heard.map(({ type }) => type)).toContain('credits.added');
});

test('usage that arrives by gRPC answers how far each lease is settled', async () => {
  await credit(1_000);
  await acquire();
  const completion = connect('completion');
  const records = [protoRecord(1), protoRecord(2), protoRecord(4)];
  const { settlements } = await completion.settleUsage({ records });
  const settled = [
    { accountId: ACCOUNT_ID, lease: 1, nextNumber: 3, complete: false, neverGranted: false },
  ];
  expect(settlements).toEqual(settled);
  const leases = [{ accountId: ACCOUNT_ID, lease: 1 }];
  expect((await completion.getSettlements({ leases })).settlements).toEqual(settled);
  const receipt = await connect('gateway').getReceipt({
    accountId: ACCOUNT_ID,
    requestId: usageRecord().requestId,
  });
  expect(receipt.entry).toMatchObject({ amount: '10', settledReason: 'settled', seq: '2' });
  expect(receipt.entry?.record).toMatchObject({ model: 'sim-small', completionTokens: 10 });
});

test('a record that makes no sense settles at nothing, goes to the dead letters and jams nothing', async () => {
  await credit(1_000);
  await acquire();
  const records = [
    protoRecord(1, { cachedTokens: 99 }),
    protoRecord(2, { source: 'guessed' }),
    protoRecord(3, { model: '' }),
    protoRecord(4),
    protoRecord(0),
  ];
  const { settlements } = await connect('completion').settleUsage({ records });
  expect(settlements).toMatchObject([{ nextNumber: 5 }]);
  const letters = () => heard.filter(({ type }) => type === 'dead_letter.recorded');
  await waitFor(() => letters().length === 3);
  expect(await connect('gateway').getBalance({ accountId: ACCOUNT_ID })).toMatchObject({
    balance: '990',
  });
  expect(await metrics.expose()).toContain(
    'tollgate_billing_charges_total{settled_reason="refused"} 3',
  );
});

test('records of a lease that was never granted go to the dead letters and charge nobody', async () => {
  await credit(1_000);
  await announce([usageRecord({ lease: 7 })]);
  await waitFor(() => heard.some(({ type }) => type === 'dead_letter.recorded'));
  expect(await connect('gateway').audit({})).toMatchObject({ ok: true, drift: '0' });
});

test('an audit is kept, in this instance and the next, until a fresh one is asked for', async () => {
  await credit(1_000);
  const made = await connect('gateway').audit({});
  expect(made).toMatchObject({ ok: true, partial: false, accountsChecked: 1, reserved: '0' });
  await acquire();
  await service.stop();
  await start();
  expect(await connect('gateway').audit({})).toEqual(made);
  const { reserved } = await connect('gateway').audit({ fresh: true });
  expect(reserved).not.toBe('0');
  expect(await connect('gateway').audit({})).toMatchObject({ reserved });
});

test('credit that another instance holds is called back before a request is refused', async () => {
  await credit(1_000);
  const holder: RpcServer = createRpcServer({
    listen: `unix:${join(directory.path, 'c.sock')}`,
    security: { serviceSecret: SECRET, plaintext: false },
    host: { clock, logger: silentLogger },
  });
  addFakeService(holder, completionDefinition, ['billing'], {
    async recallLease({ lease }) {
      await announce([closeRecord({ lease })]);
      return { disposition: completionV1.LeaseDisposition.CLOSING };
    },
  });
  await holder.listen();
  try {
    await acquire({ amount: '950', minimum: '950' });
    const second = await acquire({ nonce: 'nonce-2', amount: '900', minimum: '900' });
    expect(second).toMatchObject({ lease: 2, remaining: '900' });
  } finally {
    await holder.close();
  }
});

test('refusals carry the codes that clients are to see', async () => {
  await expect(acquire()).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
  await credit(1_000);
  const overBudget = acquire({ nonce: 'n2', keyBudget: KEY });
  await expect(overBudget).rejects.toMatchObject({ code: 'KEY_BUDGET_EXCEEDED' });
  await expect(acquire({ amount: '-1' })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    param: 'amount',
  });
  const gateway = connect('gateway');
  const missing = gateway.getReceipt({ accountId: ACCOUNT_ID, requestId: 'req_none' });
  await expect(missing).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(gateway.settleUsage({ records: [] })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await waitFor(() => heard.some(({ type }) => type === 'balance.exhausted'));
});

test('plans, budgets and the ledger are shown with their limits and sequences', async () => {
  await credit(1_000);
  await acquire({ amount: '50', minimum: '50', keyBudget: KEY });
  await announce([usageRecord()]);
  const gateway = connect('gateway');
  const { plans, currency } = await gateway.listPlans({});
  expect(currency).toBe('USD');
  expect(plans[0]).toMatchObject({ id: 'free', requestsPerMinute: 60, currency: 'USD' });
  expect(plans[3]?.requestsPerMinute).toBeUndefined();
  const { budgets } = await gateway.getKeyBudgets({ accountId: ACCOUNT_ID, keyIds: ['key_1'] });
  expect(budgets).toEqual([{ keyId: 'key_1', spent: '10' }]);
  const { entries, lastSeq } = await gateway.listLedger({ accountId: ACCOUNT_ID });
  expect(entries.map(({ kind }) => kind)).toEqual(['charge', 'credit']);
  expect(lastSeq).toBe('2');
  const upwards = await gateway.listLedger({ accountId: ACCOUNT_ID, afterSeq: '1', limit: 10 });
  expect(upwards.entries.map(({ seq }) => seq)).toEqual(['2']);
});

test('nothing is lost or repeated when the service restarts', async () => {
  await credit(1_000);
  await acquire();
  await announce([usageRecord()]);
  await service.stop();
  await start();
  await announce([usageRecord(), usageRecord({ number: 2 }), closeRecord({ number: 3 })]);
  await credit(1_000);
  await waitFor(() => new Set(postedSeqs()).size === 3);
  const report = await connect('gateway').audit({ fresh: true });
  expect(report).toMatchObject({ ok: true, drift: '0', accountsChecked: 1, reserved: '0' });
  expect(await connect('gateway').getBalance({ accountId: ACCOUNT_ID })).toMatchObject({
    balance: '980',
  });
});

test('a start in another currency than the first one is refused, and names both', async () => {
  await credit(1_000);
  await service.stop();
  const refusal = 'TOLLGATE_CURRENCY is EUR, and all amounts in this store are in USD';
  await expect(start({ TOLLGATE_CURRENCY: 'EUR' })).rejects.toThrow(refusal);
  await service.stop();
  await start();
  const balance = await connect('gateway').getBalance({ accountId: ACCOUNT_ID });
  expect(balance).toMatchObject({ balance: '1000', currency: 'USD' });
});

it('starts though no plan can be read', async () => {
  const mongo = openMongo({
    uri: store.uriFor('billing'),
    appName: 'billing-test',
    logger: silentLogger,
  });
  await mongo.connect();
  await mongo.connection.collection('billing_plans').updateMany({}, { $unset: { versions: '' } });
  await mongo.close();
  await service.stop();
  await start();
  await credit(1_000);
});

it('gives up the leases of a spool when a completion instance says that it is destroyed', async () => {
  await credit(100);
  await acquire();
  const { retired } = await connect('completion').retireLeases({ holder: HOLDER });
  expect(retired).toBe(1);
  const balance = await connect('gateway').getBalance({ accountId: ACCOUNT_ID });
  expect(balance).toMatchObject({ available: '100', reserved: '0' });
  await expect(connect('gateway').retireLeases({ holder: HOLDER })).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
});

it('forgets the budget of a key that is deleted, and keeps that of one that is disabled', async () => {
  await credit(1_000);
  const gateway = connect('gateway');
  const keyIds = ['key_1', 'key_2'];
  for (const keyId of keyIds)
    await acquire({ nonce: keyId, keyBudget: { ...KEY, keyId, limit: '500' } });
  const tell = (key_id: string, deleted: boolean) => {
    const data = { account_id: ACCOUNT_ID, key_id, name: 'ci', actor_user_id: null, deleted };
    const event = toOutgoing(ACCOUNT_ID, createEvent('key.revoked', data, clock));
    return bus.publish([event, event], { timeoutMs: 20_000 });
  };
  await tell('key_2', false);
  await tell('key_1', true);
  await waitFor(async () => {
    const { budgets } = await gateway.getKeyBudgets({ accountId: ACCOUNT_ID, keyIds });
    return budgets.map(({ keyId }) => keyId).join() === 'key_2';
  });
});
