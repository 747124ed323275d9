import { Webhook } from 'standardwebhooks';
import { addMember, createKey, type OpenedAccount, openAccount } from '../support/accounts';
import type { Api, ApiData } from '../support/api';
import { eventually } from '../support/eventually';
import { makeDirectory } from '../support/temporary-directory';
import { type ReceivedDelivery, startWebhookReceiver } from '../support/webhook-receiver';
import { type RunningTollgate, startTollgate } from '../topologies/start-tollgate';
import { isVerifiedBySnippet, SNIPPET_RUNNERS } from './webhooks/webhook-snippets';

jest.setTimeout(120_000);

/** At most so long after the first attempt that failed, and after the second. */
const PAUSES_MS = [6000, 360_000];

let tollgate: RunningTollgate;
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
let account: OpenedAccount;
let owner: Api;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  tollgate = await startTollgate({
    TOLLGATE_WEBHOOK_ALLOWED_HOSTS: receiver.host,
    TOLLGATE_GATEWAY_DENIAL_WINDOW_MS: '1000',
  });
  account = await openAccount(tollgate.api, { credit: '1.00' });
  owner = account.owner.api;
});

afterAll(async () => {
  expect(await tollgate?.stop()).toBe(0);
  await receiver?.stop();
});

/** An endpoint at the path of the receiver, with the secret that is shown once. */
async function createEndpoint(path: string, events: readonly string[], api = owner) {
  const { id, secret } = await api.post('/v1/webhooks', { url: receiver.url(path), events });
  return { id: String(id), secret: String(secret) };
}

/** Throws unless the delivery was signed with the secret; answers its body. */
function verify(secret: string, { text, headers }: ReceivedDelivery): unknown {
  return new Webhook(secret).verify(text, headers as Record<string, string>);
}

const deliveriesOf = async (id: string) =>
  ((await owner.get(`/v1/webhooks/${id}/deliveries`)) as { readonly items: readonly ApiData[] })
    .items;

describe('a delivery', () => {
  test('is one that the standard library verifies, about what happened', async () => {
    const { id, secret } = await createEndpoint('/keys', ['key.created', 'key.revoked']);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/);
    const { id: keyId } = await createKey(owner, { name: 'announced' });
    const [delivery] = await receiver.waitFor('/keys', 1);
    if (delivery === undefined) throw new Error('nothing arrived');
    const event = verify(secret, delivery);
    expect(event).toEqual(delivery.event);
    expect(Object.keys(delivery.event)).toEqual(['id', 'type', 'created_at', 'sequence', 'data']);
    expect(delivery.event).toMatchObject({
      id: delivery.headers['webhook-id'],
      type: 'key.created',
      sequence: 1,
      data: { account_id: account.id, key_id: keyId, name: 'announced' },
    });
    expect(delivery.event.id).toMatch(/^evt_/);
    expect(delivery.headers['content-type']).toBe('application/json');
    expect(delivery.headers.authorization).toBeUndefined();

    await owner.request('DELETE', `/v1/keys/${keyId}`);
    const [, revoked] = await receiver.waitFor('/keys', 2);
    expect(revoked?.event).toMatchObject({ type: 'key.revoked', sequence: 2 });
    const [newest, oldest] = await eventually(
      () => deliveriesOf(id),
      (items) => items.length === 2 && items.every(({ status }) => status === 'succeeded'),
    );
    expect(oldest).toMatchObject({
      webhook_id: id,
      event_id: delivery.event.id,
      event_type: 'key.created',
      sequence: 1,
      attempts: 1,
      last_status_code: 204,
    });
    expect(newest).toMatchObject({ event_type: 'key.revoked', sequence: 2 });
    // Noted after the delivery itself.
    const endpoint = await eventually(
      () => owner.get(`/v1/webhooks/${id}`),
      ({ last_status_code }) => last_status_code !== null,
    );
    expect(endpoint).toMatchObject({ last_status_code: 204, consecutive_failures: 0 });
    expect(Date.parse(String(endpoint.last_delivery_at))).toBeGreaterThan(0);
  });

  test('of granted credit names the amount in the currency', async () => {
    // Its own account: nothing was granted before the endpoint was there.
    const granted = await openAccount(tollgate.api);
    const api = granted.owner.api;
    const { secret } = await createEndpoint('/credits', ['credits.added'], api);
    const path = `/v1/admin/accounts/${granted.id}/credits`;
    const headers = { 'idempotency-key': 'for-the-webhook' };
    await tollgate.api.post(path, { amount: '2.50' }, headers);
    // Granted once: the repetition is no second event, so the next grant is.
    await tollgate.api.post(path, { amount: '2.50' }, headers);
    await tollgate.api.post(path, { amount: '0.75' }, { 'idempotency-key': 'another' });
    const [delivery, next] = await receiver.waitFor('/credits', 2);
    if (delivery === undefined) throw new Error('nothing arrived');
    expect(verify(secret, delivery)).toMatchObject({
      type: 'credits.added',
      sequence: 1,
      data: { account_id: granted.id, amount: '2.50', currency: 'USD' },
    });
    expect(next?.event).toMatchObject({ sequence: 2, data: { amount: '0.75' } });
  });

  for (const [language, { present }] of Object.entries(SNIPPET_RUNNERS)) {
    (present ? test : test.skip)(`is verified by the documented lines of ${language}`, async () => {
      const path = `/documented-${language}`;
      const { id, secret } = await createEndpoint(path, ['key.created']);
      await owner.post(`/v1/webhooks/${id}/test`, {});
      const [delivery] = await receiver.waitFor(path, 1);
      if (delivery === undefined) throw new Error('nothing arrived');
      const { headers, text } = delivery;
      const old = { ...headers, 'webhook-timestamp': '1700000000' };
      const given = [
        { headers, text },
        { headers, text: `${text} ` },
        { headers: old, text },
      ];
      const folder = makeDirectory();
      try {
        const isVerified = (one: Pick<ReceivedDelivery, 'headers' | 'text'>) =>
          isVerifiedBySnippet(language, folder.path, secret, one);
        expect(given.map(isVerified)).toEqual([true, false, false]);
      } finally {
        folder.remove();
      }
    });
  }

  test('tells that a key is refused for where it is used from', async () => {
    await createEndpoint('/refused', ['requests.refused']);
    const { api } = await createKey(owner, { allowed_ips: ['192.0.2.0/24'] });
    const body = { model: 'sim-small', messages: [{ role: 'user', content: 'hello' }] };
    expect((await api.request('POST', '/v1/chat/completions', { body })).status).toBe(403);
    const [delivery] = await receiver.waitFor('/refused', 1);
    const told = { status: 403, reason: 'forbidden', state: 'began', ended_at: null };
    expect(delivery?.event).toMatchObject({ type: 'requests.refused', data: told });
  });

  test('that was tampered with, or is signed by another secret, is not verified', async () => {
    const { id, secret } = await createEndpoint('/tampered', ['key.created']);
    await owner.post(`/v1/webhooks/${id}/test`, {});
    const [delivery] = await receiver.waitFor('/tampered', 1);
    if (delivery === undefined) throw new Error('nothing arrived');
    expect(verify(secret, delivery)).toMatchObject({ type: 'webhook.test' });
    const tampered = { ...delivery, text: delivery.text.replace('webhook.test', 'webhook.tesT') };
    expect(() => verify(secret, tampered)).toThrow(/signature/i);
    const other = await createEndpoint('/other', ['key.created']);
    expect(() => verify(other.secret, delivery)).toThrow(/signature/i);
  });

  test('goes again when asked for, with the same id and number', async () => {
    const { id, secret } = await createEndpoint('/again', ['key.created']);
    const { id: deliveryId } = await owner.post(`/v1/webhooks/${id}/test`, {});
    await receiver.waitFor('/again', 1);
    await eventually(
      () => deliveriesOf(id),
      ([only]) => only?.status === 'succeeded',
    );
    const again = await owner.post(`/v1/webhooks/deliveries/${String(deliveryId)}/redeliver`, {});
    expect(again).toMatchObject({ id: deliveryId, sequence: 1 });
    const [first, second] = await receiver.waitFor('/again', 2);
    if (first === undefined || second === undefined) throw new Error('nothing arrived');
    expect(second.text).toBe(first.text);
    expect(verify(secret, second)).toEqual(verify(secret, first));
  });

  test('that a receiver refuses comes again by itself, and delays nobody else', async () => {
    const failing = await createEndpoint('/failing', ['key.rotated']);
    const healthy = await createEndpoint('/healthy', ['key.rotated']);
    receiver.answer('/failing', 500);
    const { id } = await createKey(owner);
    await owner.post(`/v1/keys/${id}/rotate`, {});
    await receiver.waitFor('/healthy', 1);
    const [waiting] = await eventually(
      () => deliveriesOf(failing.id),
      ([only]) => Number(only?.attempts) > 0,
    );
    expect(waiting).toMatchObject({ status: 'pending', last_status_code: 500 });
    const pauseMs = Date.parse(String(waiting?.next_attempt_at)) - Date.now();
    expect(pauseMs).toBeLessThanOrEqual(PAUSES_MS[Number(waiting?.attempts) - 1] ?? 0);
    receiver.answer('/failing', 204);
    const [first, second] = await receiver.waitFor('/failing', 2);
    expect(second?.text).toBe(first?.text);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    const [healthyOnce] = receiver.received('/healthy');
    if (healthyOnce === undefined) throw new Error('nothing arrived');
    expect(verify(healthy.secret, healthyOnce)).toMatchObject({ type: 'key.rotated' });
  });

  test('that is answered with 410 is the last', async () => {
    const { id } = await createEndpoint('/gone', ['key.created']);
    receiver.answer('/gone', 410);
    await owner.post(`/v1/webhooks/${id}/test`, {});
    const endpoint = await eventually(
      () => owner.get(`/v1/webhooks/${id}`),
      ({ status }) => status !== 'enabled',
    );
    expect(endpoint).toMatchObject({ status: 'auto_disabled', last_status_code: 410 });
    const refused = await owner.request('POST', `/v1/webhooks/${id}/test`, { body: {} });
    expect([refused.status, refused.body?.error?.code]).toEqual([409, 'CONFLICT']);
    const body = { status: 'enabled' };
    const enabled = await owner.request('PATCH', `/v1/webhooks/${id}`, { body });
    expect(enabled.body?.data?.status).toBe('enabled');
  });
});

describe('a secret', () => {
  test('is followed by another, and both sign until the grace period ends', async () => {
    const { id, secret } = await createEndpoint('/rotated', ['key.created']);
    const rotated = await owner.post(`/v1/webhooks/${id}/rotate-secret`, {
      grace_period_seconds: 60,
    });
    const fresh = String(rotated.secret);
    expect(fresh).not.toBe(secret);
    await owner.post(`/v1/webhooks/${id}/test`, {});
    const [both] = await receiver.waitFor('/rotated', 1);
    if (both === undefined) throw new Error('nothing arrived');
    expect(String(both.headers['webhook-signature']).split(' ')).toHaveLength(2);
    expect(verify(secret, both)).toEqual(verify(fresh, both));

    const last = await owner.post(`/v1/webhooks/${id}/rotate-secret`, { grace_period_seconds: 0 });
    await owner.post(`/v1/webhooks/${id}/test`, {});
    const [, one] = await receiver.waitFor('/rotated', 2);
    if (one === undefined) throw new Error('nothing arrived');
    expect(verify(String(last.secret), one)).toMatchObject({ sequence: 2 });
    expect(() => verify(secret, one)).toThrow(/signature/i);
    expect(() => verify(fresh, one)).toThrow(/signature/i);
  });

  test('is shown at its making and never again', async () => {
    const { id, secret } = await createEndpoint('/secret', ['key.created']);
    const texts = [
      (await owner.request('GET', `/v1/webhooks/${id}`)).text,
      (await owner.request('GET', '/v1/webhooks')).text,
      (await owner.request('PATCH', `/v1/webhooks/${id}`, { body: { description: 'x' } })).text,
    ];
    for (const text of texts) expect(text).not.toContain(secret.slice('whsec_'.length));
    const headers = { 'idempotency-key': 'endpoint-once' };
    const body = { url: receiver.url('/once'), events: ['key.created'] };
    const first = await owner.request('POST', '/v1/webhooks', { body, headers });
    const second = await owner.request('POST', '/v1/webhooks', { body, headers });
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    const { secret: shown, ...rest } = first.body?.data ?? {};
    expect(shown).toMatch(/^whsec_/);
    expect(second.body?.data).toEqual(rest);
  });
});

describe('an endpoint', () => {
  test('hears only what it asked for, and only of its account', async () => {
    await createEndpoint('/narrow', ['key.revoked']);
    const other = await openAccount(tollgate.api);
    await createEndpoint('/elsewhere', ['key.created'], other.owner.api);
    const heard = await createEndpoint('/wide', ['key.created']);
    const { id } = await createKey(owner);
    await receiver.waitFor('/wide', 1);
    await owner.request('DELETE', `/v1/keys/${id}`);
    const [narrow] = await receiver.waitFor('/narrow', 1);
    expect(narrow?.event).toMatchObject({ type: 'key.revoked', sequence: 1 });
    expect(receiver.received('/elsewhere')).toEqual([]);
    expect((await deliveriesOf(heard.id)).length).toBe(1);
  });

  test('gets twenty events of one moment in twenty numbers without a gap', async () => {
    await createEndpoint('/burst', ['key.created']);
    await Promise.all(Array.from({ length: 20 }, () => createKey(owner)));
    const deliveries = await receiver.waitFor('/burst', 20);
    const numbers = deliveries.map(({ event }) => event.sequence).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(new Set(deliveries.map(({ event }) => event.id)).size).toBe(20);
  });

  test.each([
    ['a private address', 'http://127.0.0.1:9/hook'],
    ['a private address in other words', 'http://2130706433/hook'],
    ['the address of a cloud’s secrets', 'http://169.254.169.254/latest'],
    ['another protocol', 'ftp://example.test/hook'],
    ['no address at all', 'hook'],
  ])('at %s is refused', async (_what, url) => {
    const body = { url, events: ['key.created'] };
    const answer = await owner.request('POST', '/v1/webhooks', { body });
    expect([answer.status, answer.body?.error?.param]).toEqual([400, 'url']);
  });

  test('for an event that does not exist is refused', async () => {
    const body = { url: receiver.url('/x'), events: ['key.made-up'] };
    const answer = await owner.request('POST', '/v1/webhooks', { body });
    expect([answer.status, answer.body?.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body?.error?.param).toMatch(/^events/);
  });

  test('is none of a member’s business', async () => {
    const { api } = await addMember(owner, 'member');
    expect((await api.request('GET', '/v1/webhooks')).status).toBe(403);
    const admin = await addMember(owner, 'admin');
    expect((await admin.api.request('GET', '/v1/webhooks')).status).toBe(200);
  });

  test('that is deleted hears nothing more', async () => {
    const { id } = await createEndpoint('/deleted', ['key.created']);
    const { body } = await owner.request('DELETE', `/v1/webhooks/${id}`);
    expect(body?.data).toEqual({ id, deleted: true });
    await createEndpoint('/witness', ['key.created']);
    await createKey(owner);
    await receiver.waitFor('/witness', 1);
    expect(receiver.received('/deleted')).toEqual([]);
    expect((await owner.request('GET', `/v1/webhooks/${id}`)).status).toBe(404);
  });
});
