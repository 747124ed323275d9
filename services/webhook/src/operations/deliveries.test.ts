import { DAY_MS, HOUR_MS, MINUTE_MS, toIsoTime } from '@tollgate/core';
import { waitFor } from '@tollgate/testkit';
import { Webhook } from 'standardwebhooks';
import { RETRY_DELAYS_MS } from '../domain/attempt';
import {
  answering,
  keyCreated,
  type Received,
  startWebhookFixture,
  type TestReceiver,
  type WebhookFixture,
} from '../testing/webhook-fixture';

jest.setTimeout(90_000);

/** An attempt has its signature and its writes, and a test has up to forty of them. */
const A_BUSY_MACHINE = { timeoutMs: 60_000 };

let fixture: WebhookFixture;

beforeEach(async () => {
  fixture = await startWebhookFixture();
});

afterEach(() => fixture.close());

/** What a receiver's library makes of it on arrival; throws when no signature is right. */
function verify(received: Received | undefined, secret: string): unknown {
  const now = jest.spyOn(Date, 'now').mockReturnValue(received?.atMs ?? 0);
  try {
    const headers = received?.headers as Record<string, string>;
    return new Webhook(secret).verify(received?.body ?? '', headers);
  } finally {
    now.mockRestore();
  }
}

const numbers = (receiver: TestReceiver) =>
  receiver.received.map(({ message }) => message.sequence);
const arrived = (receiver: TestReceiver, count: number) =>
  waitFor(() => receiver.received.length >= count, {
    ...A_BUSY_MACHINE,
    description: `${count} messages`,
  });

/** The newest delivery after so many attempts; on a slow machine the next one may be over as well. */
const tried = (endpointId: string, attempts = 1) =>
  waitFor(async () => {
    const [delivery] = await fixture.deliveries(endpointId);
    return (delivery?.attempts ?? 0) < attempts ? undefined : delivery;
  }, A_BUSY_MACHINE);

async function publishKeys(from: number, to: number, accountId = 'acc_1'): Promise<void> {
  for (let number = from; number <= to; number += 1) {
    await fixture.publish(
      fixture.event('key.created', keyCreated(`n${number}`, accountId)),
      accountId,
    );
  }
}

test('a receiver gets what happened, signed so that a standard library accepts it', async () => {
  const receiver = await fixture.receiver();
  const { id, secret } = await fixture.subscribe(receiver, ['credits.added']);
  const event = fixture.event('credits.added', {
    account_id: 'acc_1',
    notice_seq: 1,
    currency: 'USD',
    credit_id: 'crd_1',
    amount: '10000000000',
    available: '12500000001',
  });
  // Its publisher had to wait for the bus: `created_at` is when it happened all the same.
  fixture.clock.jump(HOUR_MS);
  const beforeMs = fixture.clock.now() - 1000;
  await fixture.publish(event);
  await arrived(receiver, 1);
  const [received] = receiver.received;
  expect(verify(received, secret)).toEqual({
    id: event.id,
    type: 'credits.added',
    created_at: event.time,
    sequence: 1,
    data: {
      account_id: 'acc_1',
      credit_id: 'crd_1',
      amount: '10.00',
      available: '12.500000001',
      currency: 'USD',
    },
  });
  expect(received?.headers).toMatchObject({
    'webhook-id': event.id,
    'content-type': 'application/json',
  });
  expect(() => verify(received, 'whsec_c29tZWJvZHkgZWxzZSdzIHNlY3JldA==')).toThrow();
  const ofAccount = async (accountId: string, fromMs: number) => {
    const span = { start: toIsoTime(fromMs), end: toIsoTime(fromMs + MINUTE_MS) };
    const { deliveries } = await fixture.gateway.listAccountDeliveries({ accountId, ...span });
    return deliveries.map(({ eventId }) => eventId);
  };
  expect(await ofAccount('acc_1', beforeMs)).toEqual([event.id]);
  expect(await ofAccount('acc_1', beforeMs - MINUTE_MS)).toEqual([]);
  expect(await ofAccount('acc_2', beforeMs)).toEqual([]);
  const [delivery] = await waitFor(async () => {
    const all = await fixture.deliveries(id);
    return all[0]?.status === 'DELIVERY_STATUS_SUCCEEDED' ? all : undefined;
  });
  expect(delivery).toMatchObject({
    attempts: 1,
    lastStatusCode: 204,
    lastError: '',
    sequence: '1',
  });
  // Noted after the delivery itself.
  const endpoint = await waitFor(async () => {
    const asked = { accountId: 'acc_1', endpointId: id };
    const { endpoint: one } = await fixture.gateway.getEndpoint(asked);
    return one?.lastStatusCode === undefined ? undefined : one;
  });
  expect(endpoint).toMatchObject({ lastStatusCode: 204, consecutiveFailures: 0 });
  expect(endpoint.lastDeliveryAt).not.toBe('');
});

test('events that come one to five times make one delivery each, in an unbroken sequence', async () => {
  const receiver = await fixture.receiver();
  const { id } = await fixture.subscribe(receiver, ['key.created', 'balance.low']);
  for (let number = 1; number <= 5; number += 1) {
    const event = fixture.event('key.created', keyCreated(`n${number}`));
    for (let time = 0; time < number; time += 1) await fixture.publish(event);
  }
  // As earlier versions of billing published a notice again: with a new id and its old number.
  const notice = {
    account_id: 'acc_1',
    notice_seq: 7,
    currency: 'USD',
    available: '1',
    threshold: '2',
  };
  await fixture.publish(fixture.event('balance.low', notice));
  await fixture.publish(fixture.event('balance.low', notice));
  await arrived(receiver, 6);
  await publishKeys(6, 6);
  await arrived(receiver, 7);
  expect(numbers(receiver).sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(await fixture.deliveries(id)).toHaveLength(7);
});

test('a receiver that is down for ten minutes ends without a gap and without a duplicate', async () => {
  const receiver = await fixture.receiver();
  const { id, secret } = await fixture.subscribe(receiver, ['key.created']);
  receiver.answer = answering(503);
  for (let minute = 0; minute < 10; minute += 1) {
    const before = receiver.received.length;
    await publishKeys(minute * 2 + 1, minute * 2 + 2);
    await arrived(receiver, before + 2);
    fixture.clock.jump(MINUTE_MS);
  }
  // The answer is lost after the receiver took the message: it must come again under its id.
  const taken = new Set<string>();
  receiver.answer = (response, { message }) => {
    if (message.sequence % 3 === 0 && !taken.has(message.id)) response.destroy();
    else answering(200)(response);
    taken.add(message.id);
  };
  const failed = receiver.received.length;
  await waitFor(async () => {
    fixture.clock.jump(MINUTE_MS);
    const all = await fixture.deliveries(id);
    return all.length === 20 && all.every(({ status }) => status === 'DELIVERY_STATUS_SUCCEEDED');
  }, A_BUSY_MACHINE);
  const accepted = receiver.received.slice(failed);
  for (const one of accepted) expect(() => verify(one, secret)).not.toThrow();
  const distinct = new Map(accepted.map((one) => [one.headers['webhook-id'], one.message]));
  expect(accepted.length).toBeGreaterThan(distinct.size);
  const sequence = [...distinct.values()].map((message) => message.sequence);
  expect(sequence.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
});

/** Long enough that nothing which hangs is given up before a test has ended. */
const HANGING = { TOLLGATE_WEBHOOK_ATTEMPT_TIMEOUT_MS: '60000' };

test('a receiver that hangs delays no other, however much waits for it', async () => {
  await fixture.restart(HANGING);
  const hanging = await fixture.receiver();
  const quick = await fixture.receiver();
  hanging.answer = () => {};
  await fixture.subscribe(hanging, ['key.created']);
  await publishKeys(1, 250);
  await arrived(hanging, 4);
  await fixture.subscribe(quick, ['key.created']);
  await publishKeys(251, 260);
  await arrived(quick, 10);
  expect(numbers(quick).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(hanging.received).toHaveLength(4);
});

test('receivers that fail and hang leave permits to one that works', async () => {
  await fixture.restart({ ...HANGING, TOLLGATE_WEBHOOK_ATTEMPTS_MAX: '4' });
  const broken = await fixture.receiver();
  const working = await fixture.receiver();
  // Nothing that failed is tried again here.
  broken.answer = answering(500, { 'retry-after': '3600' });
  const endpoints = [
    await fixture.subscribe(broken, ['key.created']),
    await fixture.subscribe(broken, ['key.created']),
  ];
  await publishKeys(1, 1);
  for (const { id: endpointId } of endpoints) {
    await waitFor(async () => {
      const { endpoint } = await fixture.gateway.getEndpoint({ accountId: 'acc_1', endpointId });
      return (endpoint?.consecutiveFailures ?? 0) >= 1;
    });
  }
  broken.answer = () => {};
  await publishKeys(2, 70);
  await fixture.subscribe(working, ['key.created']);
  await publishKeys(71, 72);
  await arrived(working, 2);
  // Two attempts failed at first; then one account gets one of the two permits for failing ones.
  expect(broken.received).toHaveLength(3);
});

test('an account whose twenty receivers hang delays nobody else', async () => {
  // Twenty endpoints of four permits each could take all of these twice.
  await fixture.restart({ ...HANGING, TOLLGATE_WEBHOOK_ATTEMPTS_MAX: '40' });
  const hanging = await fixture.receiver();
  const quick = await fixture.receiver();
  hanging.answer = () => {};
  for (let count = 0; count < 20; count += 1) await fixture.subscribe(hanging, ['key.created']);
  await publishKeys(1, 5);
  await arrived(hanging, 20);
  await fixture.subscribe(quick, ['key.created'], { accountId: 'acc_2' });
  await publishKeys(1, 10, 'acc_2');
  await arrived(quick, 10);
  // An account that is alone gets half of the permits.
  expect(hanging.received).toHaveLength(20);
});

test('a receiver that never answers fails by the time-out and is tried again', async () => {
  await fixture.restart({ TOLLGATE_WEBHOOK_ATTEMPT_TIMEOUT_MS: '100' });
  const receiver = await fixture.receiver();
  receiver.answer = () => {};
  const { id } = await fixture.subscribe(receiver, ['key.created']);
  await publishKeys(1, 1);
  expect(await tried(id)).toMatchObject({
    status: 'DELIVERY_STATUS_PENDING',
    lastError: 'The receiver did not answer in time.',
  });
  expect((await tried(id)).lastStatusCode).toBeUndefined();
  receiver.answer = answering(200);
  // No time-out for what is to be received, and past a pause after one that was given up before.
  await fixture.restart();
  fixture.clock.jump(6 * MINUTE_MS);
  await waitFor(
    async () => (await fixture.deliveries(id))[0]?.status === 'DELIVERY_STATUS_SUCCEEDED',
    A_BUSY_MACHINE,
  );
  expect((await tried(id)).attempts).toBeGreaterThan(1);
});

test('a redirect is a failure and is not followed', async () => {
  const target = await fixture.receiver();
  const receiver = await fixture.receiver();
  receiver.answer = answering(302, { location: target.url });
  const { id } = await fixture.subscribe(receiver, ['key.created']);
  await publishKeys(1, 1);
  await waitFor(async () => (await fixture.deliveries(id))[0]?.lastStatusCode === 302);
  expect(target.received).toEqual([]);
});

test('Retry-After moves the next attempt', async () => {
  const receiver = await fixture.receiver();
  receiver.answer = answering(429, { 'retry-after': '3600' });
  const { id } = await fixture.subscribe(receiver, ['key.created']);
  const before = fixture.clock.now();
  await publishKeys(1, 1);
  await waitFor(async () => (await fixture.deliveries(id))[0]?.lastStatusCode === 429);
  const [delivery] = await fixture.deliveries(id);
  expect(Date.parse(delivery?.nextAttemptAt ?? '')).toBeGreaterThanOrEqual(before + 3_600_000);
});

test('what a receiver says is neither kept nor shown nor logged', async () => {
  const receiver = await fixture.receiver();
  receiver.answer = answering(500);
  const { id } = await fixture.subscribe(receiver, ['key.created']);
  await publishKeys(1, 1);
  await tried(id);
  expect(JSON.stringify(await fixture.deliveries(id))).not.toContain('own business');
  expect(fixture.logger.text()).not.toContain('own business');
});

test('410 disables the endpoint, and enabling it sends what was held', async () => {
  const receiver = await fixture.receiver();
  // Where nothing holds it, it waits an hour for its own time, whatever its owner does.
  receiver.answer = answering(429, { 'retry-after': '3600' });
  const { id: endpointId } = await fixture.subscribe(receiver, ['key.created']);
  await publishKeys(1, 1);
  await tried(endpointId);
  const status = async () =>
    (await fixture.gateway.getEndpoint({ accountId: 'acc_1', endpointId })).endpoint?.status;
  const autoDisabled = async () =>
    (await fixture.gateway.listAutoDisabledEndpoints({})).endpoints.map(({ id }) => id);
  expect(await autoDisabled()).toEqual([]);
  receiver.answer = answering(410);
  await publishKeys(2, 2);
  await waitFor(async () => (await status()) === 'ENDPOINT_STATUS_AUTO_DISABLED');
  expect(await autoDisabled()).toEqual([endpointId]);
  const refused = fixture.gateway.sendTest({ accountId: 'acc_1', endpointId });
  await expect(refused).rejects.toMatchObject({ code: 'CONFLICT' });
  await publishKeys(3, 3);
  const rows = async () =>
    (await fixture.deliveries(endpointId)).map((one) => [
      one.sequence,
      one.status,
      one.nextAttemptAt,
    ]);
  await waitFor(async () => {
    expect(await rows()).toEqual([
      ['2', 'DELIVERY_STATUS_FAILED', ''],
      ['1', 'DELIVERY_STATUS_PENDING', ''],
    ]);
    return true;
  });
  expect(receiver.received).toHaveLength(2);

  receiver.answer = answering(200);
  const change = { accountId: 'acc_1', endpointId, status: 'ENDPOINT_STATUS_ENABLED' } as const;
  const { endpoint } = await fixture.gateway.updateEndpoint(change);
  expect(endpoint).toMatchObject({ status: 'ENDPOINT_STATUS_ENABLED', consecutiveFailures: 0 });
  expect(await autoDisabled()).toEqual([]);
  await arrived(receiver, 3);
  await publishKeys(4, 4);
  await arrived(receiver, 4);
  expect(numbers(receiver)).toEqual([1, 2, 1, 3]);
});

test('an attempt at the old address says nothing about the new one', async () => {
  await fixture.restart(HANGING);
  const old = await fixture.receiver();
  const held: (() => void)[] = [];
  const refuse = answering(500, { 'retry-after': '3600' });
  old.answer = (response) => void held.push(() => refuse(response));
  const { id: endpointId } = await fixture.subscribe(old, ['key.created']);
  await publishKeys(1, 1);
  await arrived(old, 1);
  const { url } = await fixture.receiver();
  await fixture.gateway.updateEndpoint({ accountId: 'acc_1', endpointId, url });
  for (const answer of held) answer();
  expect((await tried(endpointId)).lastStatusCode).toBe(500);
  // What an attempt notes after its delivery is written before the service has stopped.
  await fixture.drain();
  await fixture.restart();
  const asked = { accountId: 'acc_1', endpointId };
  const { endpoint } = await waitFor(() => fixture.gateway.getEndpoint(asked));
  expect(endpoint).toMatchObject({ url, consecutiveFailures: 0, lastDeliveryAt: '' });
});

test('five days of nothing but failures disable an endpoint; one success starts them anew', async () => {
  const receiver = await fixture.receiver();
  const { id: endpointId } = await fixture.subscribe(receiver, ['key.created']);
  const attempt = async (status: number, number: number) => {
    receiver.answer = answering(status);
    const before = receiver.received.length;
    await publishKeys(number, number);
    await arrived(receiver, before + 1);
    return waitFor(async () => {
      const { endpoint } = await fixture.gateway.getEndpoint({ accountId: 'acc_1', endpointId });
      return endpoint?.lastStatusCode === status ? endpoint : undefined;
    });
  };
  await attempt(500, 1);
  fixture.clock.jump(4 * DAY_MS);
  expect((await attempt(200, 2)).consecutiveFailures).toBe(0);
  fixture.clock.jump(2 * DAY_MS);
  await attempt(501, 3);
  fixture.clock.jump(5 * DAY_MS);
  // It arrives, so the endpoint was enabled until now.
  await attempt(502, 4);
  await waitFor(async () => {
    const { endpoint } = await fixture.gateway.getEndpoint({ accountId: 'acc_1', endpointId });
    return endpoint?.status === 'ENDPOINT_STATUS_AUTO_DISABLED';
  });
});

test('both secrets sign while one replaces the other, and only the new one afterwards', async () => {
  const receiver = await fixture.receiver();
  const { id: endpointId, secret: old } = await fixture.subscribe(receiver, ['key.created']);
  const rotation = { accountId: 'acc_1', endpointId, gracePeriodSeconds: 60 };
  const { secret: fresh } = await fixture.gateway.rotateSecret(rotation);
  await publishKeys(1, 1);
  await arrived(receiver, 1);
  const [during] = receiver.received;
  expect(String(during?.headers['webhook-signature']).split(' ')).toHaveLength(2);
  expect(() => verify(during, old)).not.toThrow();
  expect(() => verify(during, fresh)).not.toThrow();
  fixture.clock.jump(61_000);
  await publishKeys(2, 2);
  await arrived(receiver, 2);
  const after = receiver.received[1];
  expect(() => verify(after, fresh)).not.toThrow();
  expect(() => verify(after, old)).toThrow();
});

test('a redelivery has the id and number of the first, and the whole schedule ahead', async () => {
  const receiver = await fixture.receiver();
  receiver.answer = answering(400);
  const { id } = await fixture.subscribe(receiver, ['key.created']);
  await publishKeys(1, 1);
  const failed = await tried(id);
  receiver.answer = answering(200);
  const again = { accountId: 'acc_1', deliveryId: failed.id };
  expect((await fixture.gateway.redeliver(again)).delivery?.status).toBe('DELIVERY_STATUS_PENDING');
  await arrived(receiver, 2);
  await waitFor(
    async () => (await fixture.deliveries(id))[0]?.status === 'DELIVERY_STATUS_SUCCEEDED',
  );
  await fixture.gateway.redeliver(again);
  await arrived(receiver, 3);
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});

test('a redelivery is refused while an attempt runs, and made under its key afterwards', async () => {
  await fixture.restart(HANGING);
  const receiver = await fixture.receiver();
  const held: (() => void)[] = [];
  const refuse = answering(500, { 'retry-after': '3600' });
  receiver.answer = (response) => void held.push(() => refuse(response));
  const { id } = await fixture.subscribe(receiver, ['key.created']);
  await publishKeys(1, 1);
  await arrived(receiver, 1);
  const [running] = await fixture.deliveries(id);
  const once = { idempotencyKey: 'again', bodyDigest: 'd1' };
  const again = { accountId: 'acc_1', deliveryId: running?.id ?? '', ...once };
  await expect(fixture.gateway.redeliver(again)).rejects.toMatchObject({
    code: 'CONFLICT',
    publicMessage:
      'This delivery is being sent at this moment. Please ask again when that attempt is over.',
    retryable: true,
    retryAfterMs: 1000,
  });
  receiver.answer = answering(200);
  for (const answer of held) answer();
  await tried(id);
  const { delivery, replayed } = await fixture.gateway.redeliver(again);
  expect(delivery?.status).toBe('DELIVERY_STATUS_PENDING');
  expect(replayed).toBe(false);
  await arrived(receiver, 2);
});

test('the tenth failure is final, and a redelivery has ten more', async () => {
  const receiver = await fixture.receiver();
  receiver.answer = answering(500);
  const { id } = await fixture.subscribe(receiver, ['key.created']);
  await publishKeys(1, 1);
  for (const [index, delayMs] of RETRY_DELAYS_MS.entries()) {
    expect((await tried(id, index + 1)).status).toBe('DELIVERY_STATUS_PENDING');
    fixture.clock.jump(delayMs * 1.2);
  }
  const last = await tried(id, 10);
  expect(last).toMatchObject({ status: 'DELIVERY_STATUS_FAILED', nextAttemptAt: '' });
  expect(last.lastError).toBe('The receiver answered with HTTP status 500.');
  await fixture.gateway.redeliver({ accountId: 'acc_1', deliveryId: last.id });
  expect((await tried(id, 11)).status).toBe('DELIVERY_STATUS_PENDING');
});

test('a test is sent without a subscription, and only so many wait at once', async () => {
  await fixture.restart({ TOLLGATE_WEBHOOK_TESTS_PENDING_MAX: '2' });
  const receiver = await fixture.receiver();
  receiver.answer = answering(500);
  const { id: endpointId, secret } = await fixture.subscribe(receiver, ['balance.low']);
  const send = () => fixture.gateway.sendTest({ accountId: 'acc_1', endpointId });
  expect((await send()).delivery).toMatchObject({
    eventType: 'webhook.test',
    sequence: '1',
    status: 'DELIVERY_STATUS_PENDING',
  });
  await send();
  await expect(send()).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
  await arrived(receiver, 2);
  expect(verify(receiver.received[0], secret)).toMatchObject({ data: { endpoint_id: endpointId } });
});

test('deliveries are listed newest first in pages', async () => {
  const receiver = await fixture.receiver();
  const { id: endpointId } = await fixture.subscribe(receiver, ['key.created']);
  await publishKeys(1, 5);
  const page = (cursor: string) =>
    fixture.gateway.listDeliveries({ accountId: 'acc_1', endpointId, limit: 3, cursor });
  const first = await page('');
  const second = await page(first.nextCursor);
  const listed = [...first.deliveries, ...second.deliveries].map(({ sequence }) => sequence);
  expect(listed).toEqual(['5', '4', '3', '2', '1']);
  expect(second.nextCursor).toBe('');
  await expect(page('x')).rejects.toMatchObject({ code: 'VALIDATION_ERROR', param: 'cursor' });
});

test('what waited while the service was down is sent when it is back', async () => {
  const receiver = await fixture.receiver();
  receiver.answer = answering(503);
  await fixture.subscribe(receiver, ['key.created']);
  await publishKeys(1, 3);
  await arrived(receiver, 3);
  receiver.answer = answering(200);
  fixture.clock.jump(MINUTE_MS);
  await fixture.restart();
  await arrived(receiver, 6);
  expect(numbers(receiver).slice(3).sort()).toEqual([1, 2, 3]);
});

test('a stop lets a running attempt end, and its success is kept', async () => {
  const receiver = await fixture.receiver();
  const held: (() => void)[] = [];
  receiver.answer = (response) => void held.push(() => answering(200)(response));
  const { id } = await fixture.subscribe(receiver, ['key.created']);
  await publishKeys(1, 1);
  await arrived(receiver, 1);
  let isDrained = false;
  const drained = fixture.drain().then(() => {
    isDrained = true;
  });
  // New calls are refused by now, and the running attempt is still waited for.
  await waitFor(() =>
    fixture.deliveries(id).then(
      () => false,
      () => true,
    ),
  );
  expect(isDrained).toBe(false);
  for (const answer of held) answer();
  await drained;
  await fixture.restart();
  const [delivery] = await waitFor(() => fixture.deliveries(id));
  expect(delivery).toMatchObject({ status: 'DELIVERY_STATUS_SUCCEEDED', attempts: 1 });
  expect(receiver.received).toHaveLength(1);
});

test('an address that turned private is not called, and says no more than that', async () => {
  const receiver = await fixture.receiver();
  const { id } = await fixture.subscribe(receiver, ['key.created']);
  await fixture.restart({ TOLLGATE_WEBHOOK_ALLOWED_HOSTS: '' });
  await publishKeys(1, 1);
  expect((await tried(id)).lastError).toBe(
    'The host of this URL cannot be used: its address must be public.',
  );
  expect(receiver.received).toEqual([]);
});

test('secrets are sealed again with a key that came first, and sign on with it alone', async () => {
  const key = (id: string) => `${id}:${Buffer.alloc(32, 'k').toString('base64')}`;
  const receiver = await fixture.receiver();
  const { secret } = await fixture.subscribe(receiver, ['key.created']);
  await fixture.restart({ TOLLGATE_SEALING_KEYS: `${key('k2')},${key('k1')}` });
  const resealed = () =>
    fixture.logger.lines.some(
      ({ fields }) => fields.collection === 'webhook_endpoints' && fields.resealed === 1,
    );
  await waitFor(resealed, { timeoutMs: 10_000 });
  await fixture.restart({ TOLLGATE_SEALING_KEYS: key('k2') });
  await publishKeys(1, 1);
  await arrived(receiver, 1);
  expect(() => verify(receiver.received[0], secret)).not.toThrow();
});
