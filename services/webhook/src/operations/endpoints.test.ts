import type { AppError } from '@tollgate/core';
import { DAY_MS } from '@tollgate/core';
import { waitFor } from '@tollgate/testkit';
import { startWebhookFixture, type WebhookFixture } from '../testing/webhook-fixture';

const url = 'http://127.0.0.1:9/hook';

let fixture: WebhookFixture;

beforeEach(async () => {
  fixture = await startWebhookFixture({ TOLLGATE_WEBHOOK_ENDPOINTS_MAX: '3' });
});

afterEach(() => fixture.close());

const NOT_FOUND = { code: 'NOT_FOUND' };

test('a new endpoint shows its secret once and never again', async () => {
  const { id, secret } = await fixture.subscribe({ url }, ['balance.low', 'key.created']);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const { endpoint } = await fixture.gateway.getEndpoint({ accountId: 'acc_1', endpointId: id });
  expect(endpoint).toMatchObject({
    url,
    events: ['balance.low', 'key.created'],
    status: 'ENDPOINT_STATUS_ENABLED',
    lastDeliveryAt: '',
    consecutiveFailures: 0,
  });
  expect(id).toMatch(/^whk_/);
  expect(endpoint?.lastStatusCode).toBeUndefined();
  expect(JSON.stringify(endpoint)).not.toContain('whsec');
  expect(fixture.logger.text()).not.toContain(secret);
});

test('an endpoint of another account does not exist, whatever is asked of it', async () => {
  const receiver = await fixture.receiver();
  const { id: endpointId } = await fixture.subscribe(receiver, ['key.created']);
  const { delivery } = await fixture.gateway.sendTest({ accountId: 'acc_1', endpointId });
  const deliveryId = delivery?.id ?? '';
  const { gateway } = fixture;
  const asks = (accountId: string, id: string, delivered: string) => [
    gateway.getEndpoint({ accountId, endpointId: id }),
    gateway.updateEndpoint({ accountId, endpointId: id, description: 'mine' }),
    gateway.rotateSecret({ accountId, endpointId: id }),
    gateway.listDeliveries({ accountId, endpointId: id }),
    gateway.sendTest({ accountId, endpointId: id }),
    gateway.redeliver({ accountId, deliveryId: delivered }),
    gateway.deleteEndpoint({ accountId, endpointId: id }),
  ];
  const outcomes = (all: readonly Promise<unknown>[]) =>
    Promise.all(
      all.map((one) =>
        one.then(
          () => ['answered'],
          (error: AppError) => [error.code, error.publicMessage],
        ),
      ),
    );
  const foreign = await outcomes(asks('acc_2', endpointId, deliveryId));
  const missing = await outcomes(asks('acc_2', `whk_${'0'.repeat(26)}`, `dlv_${'0'.repeat(26)}`));
  expect(foreign).toEqual(missing);
  expect(foreign.map(([code]) => code)).toEqual(Array(7).fill('NOT_FOUND'));
  expect((await gateway.listEndpoints({ accountId: 'acc_2' })).endpoints).toEqual([]);
  expect((await gateway.listEndpoints({ accountId: 'acc_1' })).endpoints).toHaveLength(1);
});

test('a list comes in pages, oldest first, and an invented cursor is refused', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    ids.push((await fixture.subscribe({ url }, ['balance.low'])).id);
  }
  const first = await fixture.gateway.listEndpoints({ accountId: 'acc_1', limit: 2 });
  const { nextCursor: cursor } = first;
  const second = await fixture.gateway.listEndpoints({ accountId: 'acc_1', limit: 2, cursor });
  expect([...first.endpoints, ...second.endpoints].map(({ id }) => id)).toEqual(ids);
  expect(second.nextCursor).toBe('');
  await expect(
    fixture.gateway.listEndpoints({ accountId: 'acc_1', cursor: 'made up' }),
  ).rejects.toMatchObject({ code: 'VALIDATION_ERROR', param: 'cursor' });
});

test('every command that is repeated with its key within a day is answered from what is kept', async () => {
  const { gateway } = fixture;
  const once = (key: string) => ({ accountId: 'acc_1', idempotencyKey: key, bodyDigest: 'd1' });
  const creation = { ...once('create'), url, events: ['balance.low'] };
  const created = await gateway.createEndpoint(creation);
  const endpointId = created.endpoint?.id ?? '';
  expect(created.secret).toMatch(/^whsec_/);
  const rotated = await gateway.rotateSecret({ ...once('rotate'), endpointId });
  expect(rotated.secret).toMatch(/^whsec_/);
  const tested = await gateway.sendTest({ ...once('test'), endpointId });
  const deliveryId = tested.delivery?.id ?? '';
  // Nothing is sent again while an attempt runs.
  await waitFor(async () => (await fixture.deliveries(endpointId))[0]?.attempts);
  const again = await gateway.redeliver({ ...once('again'), deliveryId });

  const endpoint = created.endpoint;
  const replayed = { replayed: true };
  expect(await gateway.createEndpoint(creation)).toEqual({ endpoint, secret: '', ...replayed });
  expect(await gateway.rotateSecret({ ...once('rotate'), endpointId })).toEqual({
    endpoint: rotated.endpoint,
    secret: '',
    ...replayed,
  });
  expect(await gateway.sendTest({ ...once('test'), endpointId })).toEqual({
    delivery: tested.delivery,
    ...replayed,
  });
  expect(await gateway.redeliver({ ...once('again'), deliveryId })).toEqual({
    delivery: again.delivery,
    ...replayed,
  });

  const mismatch = { code: 'IDEMPOTENCY_MISMATCH' };
  const other = { ...creation, bodyDigest: 'd2' };
  await expect(gateway.createEndpoint(other)).rejects.toMatchObject(mismatch);
  const ofAnother = await gateway.createEndpoint({ ...other, accountId: 'acc_2' });
  expect(ofAnother.replayed).toBe(false);
  // What is gone is still what the first request was answered.
  await gateway.deleteEndpoint({ accountId: 'acc_1', endpointId });
  expect(await gateway.createEndpoint(creation)).toMatchObject({ endpoint, ...replayed });
  fixture.clock.jump(DAY_MS);
  expect((await gateway.createEndpoint(other)).replayed).toBe(false);
});

test('an account has at most the configured number of endpoints', async () => {
  for (let count = 0; count < 3; count += 1) await fixture.subscribe({ url }, ['balance.low']);
  await expect(fixture.subscribe({ url }, ['balance.low'])).rejects.toMatchObject({
    code: 'CONFLICT',
  });
  await fixture.subscribe({ url }, ['balance.low'], { accountId: 'acc_2' });
});

test('endpoints that are created at the same moment are no more than that, and a deletion makes room', async () => {
  const create = () => fixture.subscribe({ url }, ['balance.low']);
  const outcomes = await Promise.allSettled(Array.from({ length: 12 }, create));
  const made = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value.id] : []));
  expect(made).toHaveLength(3);
  const refused = outcomes.flatMap((one) =>
    one.status === 'rejected' ? [one.reason as unknown] : [],
  );
  for (const reason of refused) expect(reason).toMatchObject({ code: 'CONFLICT' });
  await fixture.gateway.deleteEndpoint({ accountId: 'acc_1', endpointId: made[0] ?? '' });
  const again = await Promise.allSettled([create(), create()]);
  expect(again.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test.each([
  'http://10.0.0.1/hook',
  'http://[::1]/hook',
  'http://2130706433:1/hook',
  'http://169.254.169.254/latest',
  'http://localhost/hook',
  'ftp://example.com/hook',
  'http://user:pass@127.0.0.1/hook',
  'not a url',
])('the address %s is refused at creation and at a change', async (address) => {
  await fixture.restart({ TOLLGATE_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1:9' });
  const refusal = { code: 'VALIDATION_ERROR', param: 'url' };
  await expect(fixture.subscribe({ url: address }, ['balance.low'])).rejects.toMatchObject(refusal);
  const { id: endpointId } = await fixture.subscribe({ url }, ['balance.low']);
  await expect(
    fixture.gateway.updateEndpoint({ accountId: 'acc_1', endpointId, url: address }),
  ).rejects.toMatchObject(refusal);
});

test('what the operator allows for vendors is allowed for no webhook, and only operators read of a setting', async () => {
  await fixture.restart({
    TOLLGATE_EGRESS_ALLOWED_HOSTS: '127.0.0.1',
    TOLLGATE_WEBHOOK_ALLOWED_HOSTS: '',
  });
  const refused = (rule: string) => ({
    code: 'VALIDATION_ERROR',
    param: 'url',
    publicMessage: `The host of this URL cannot be used${rule}.`,
  });
  const SETTING = '; TOLLGATE_WEBHOOK_ALLOWED_HOSTS allows private ones';
  for (const address of [url, 'http://localhost/hook']) {
    const subscribe = (operator: boolean) =>
      fixture.subscribe({ url: address }, ['balance.low'], { operator });
    await expect(subscribe(true)).rejects.toMatchObject(refused(SETTING));
    await expect(subscribe(false)).rejects.toMatchObject(refused(': its address must be public'));
  }
});

test('a change touches what it names, and nobody can claim our own status', async () => {
  const { id: endpointId } = await fixture.subscribe({ url }, ['balance.low'], {
    description: 'a',
  });
  const change = (over: object) =>
    fixture.gateway.updateEndpoint({ accountId: 'acc_1', endpointId, ...over });
  const changed = await change({
    events: { values: ['key.created'] },
    status: 'ENDPOINT_STATUS_DISABLED',
  });
  expect(changed.endpoint).toMatchObject({
    url,
    description: 'a',
    events: ['key.created'],
    status: 'ENDPOINT_STATUS_DISABLED',
  });
  await expect(change({ status: 'ENDPOINT_STATUS_AUTO_DISABLED' })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    param: 'status',
  });
  await expect(change({ events: { values: ['nothing.known'] } })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    param: 'events',
  });
  await fixture.gateway.deleteEndpoint({ accountId: 'acc_1', endpointId });
  await expect(change({})).rejects.toMatchObject(NOT_FOUND);
});

test('only the gateway may call', async () => {
  const ask = fixture.connect('completion').listEndpoints({ accountId: 'acc_1' });
  await expect(ask).rejects.toMatchObject({ code: 'FORBIDDEN' });
});
