import { join } from 'node:path';
import { addMember, createKey, openAccount } from '../support/accounts';
import { type Api, createApi } from '../support/api';
import { eventually } from '../support/eventually';
import { CHAT } from '../support/openapi/openapi-fixture';
import { REPOSITORY } from '../support/repository';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver';
import { isDistributed } from '../topologies/distributed';
import { type RunningTollgate, startTollgate } from '../topologies/start-tollgate';

jest.setTimeout(300_000);

const NAME = 'lovelace';
const LATER_MS = 120_000;
const HEARD_TIMEOUT_MS = 90_000;

let receiver: WebhookReceiver;
let tollgate: RunningTollgate;
/** Read at each start. */
const environment: Record<string, string> = {};

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  environment.TOLLGATE_WEBHOOK_ALLOWED_HOSTS = receiver.host;
  tollgate = await startTollgate(environment);
});

afterAll(async () => {
  expect(await tollgate?.stop()).toBe(0);
  await receiver?.stop();
});

const statusOf = async (id: string) =>
  (await tollgate.api.get(`/v1/admin/accounts/${id}`)).status as string;
const erase = (id: string) =>
  tollgate.api.request('DELETE', `/v1/admin/accounts/${id}`, {
    headers: { 'idempotency-key': `erase-${id}` },
  });
const numbersOf = async (id: string) => {
  const path = `/v1/admin/accounts/${id}`;
  const {
    reserved: _,
    updated_at: __,
    available: ___,
    in_words: ____,
    ...balance
  } = await tollgate.api.get(`${path}/balance`);
  const { items } = await tollgate.api.get(`${path}/ledger`);
  const amounts = (items as readonly { readonly seq: number; readonly amount: string }[]).map(
    ({ seq, amount }) => [seq, amount],
  );
  return { balance, amounts };
};

/** An account with a person, a key, a webhook, a kept answer, a channel, a payment and a charge. */
async function furnish() {
  const { id, owner } = await openAccount(tollgate.api, { name: NAME });
  const note = { amount: '10.00', note: `paid by ${NAME}` };
  const credit = { 'idempotency-key': 'paid' };
  await tollgate.api.post(`/v1/admin/accounts/${id}/credits`, note, credit);
  await addMember(owner.api, 'member');
  await owner.api.post('/v1/account/members', {
    email: `child@${NAME}.test`,
    password: 'a-long-password',
    display_name: NAME,
  });
  const key = await createKey(owner.api, { name: `of ${NAME}`, metadata: { who: NAME } });
  await owner.api.post('/v1/webhooks', {
    url: receiver.url(`/${NAME}`),
    events: ['key.created'],
    description: NAME,
  });
  await createKey(owner.api, { name: `announced ${NAME}` });
  await receiver.waitFor(`/${NAME}`, 1);
  const { items } = await tollgate.api.get('/v1/admin/channels');
  const [shared] = items as readonly { readonly base_url: string }[];
  await tollgate.api.post('/v1/admin/channels', {
    name: `of ${NAME}`,
    type: 'simulator',
    base_url: shared?.base_url,
    models: [{ name: 'sim-small' }],
    owner_account_id: id,
  });
  const answer = await complete(key.api);
  await eventually(
    () => tollgate.api.get(`/v1/admin/accounts/${id}/ledger?kind=charge`),
    ({ items: charges }) => (charges as readonly unknown[]).length === 1,
  );
  return { id, owner, key, answer };
}

function complete(api: Api) {
  const headers = { 'idempotency-key': 'kept', 'x-request-id': `${NAME}-asks` };
  return api.request('POST', '/v1/chat/completions', { body: CHAT, headers });
}

/** What the store holds of it, wherever. */
async function storedWith(text: string): Promise<readonly string[]> {
  return (await tollgate.storedTexts()).filter((stored) => stored.toLowerCase().includes(text));
}

/**
 * Identity tells the others by events, and whoever was killed keeps its place among their consumers
 * for some seconds: so long a service does not hear that the account is erased.
 */
async function untilEveryoneHeard(): Promise<void> {
  await eventually(
    () => storedWith(NAME),
    (found) => found.length === 0,
    HEARD_TIMEOUT_MS,
  );
}

test('kill -9 in the middle of an erasure leaves nothing personal, and every number', async () => {
  const { id, owner, key, answer } = await furnish();
  expect(answer.status).toBe(200);
  const before = await numbersOf(id);

  const gone = await erase(id);
  expect(gone.body?.data).toEqual({ id, deleted: true });
  // Whoever was let in a moment ago is not any more. A completion would cost, at a gateway that hears
  // of it a second later.
  for (const ask of [
    () => key.api.request('GET', '/v1/models'),
    () => owner.api.request('GET', '/v1/users/me'),
  ]) {
    await eventually(ask, ({ status }) => status === 401);
  }
  await tollgate.killAndRestart();

  const again = await erase(id);
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
  await eventually(
    () => tollgate.api.get(`/v1/admin/accounts/${id}/members`),
    ({ items }) => (items as readonly unknown[]).length === 0,
  );
  expect((await complete(createApi(tollgate.baseUrl, key.secret))).status).toBe(401);
  const credits = await tollgate.api.request('POST', `/v1/admin/accounts/${id}/credits`, {
    body: { amount: '1.00' },
    headers: { 'idempotency-key': 'revive' },
  });
  expect([credits.status, credits.body?.error?.code]).toEqual([409, 'CONFLICT']);
  const resumed = await tollgate.api.request('PATCH', `/v1/admin/accounts/${id}`, {
    body: { status: 'active' },
  });
  expect([resumed.status, resumed.body?.error?.code]).toEqual([409, 'CONFLICT']);
  for (const [owner_account_id, refused] of [
    [id, [409, 'CONFLICT']],
    [`${id.slice(0, -2)}ZZ`, [400, 'VALIDATION_ERROR']],
  ] as const) {
    const channel = await tollgate.api.request('POST', '/v1/admin/channels', {
      body: {
        name: 'too late',
        type: 'simulator',
        base_url: 'http://127.0.0.1:1',
        models: [],
        owner_account_id,
      },
    });
    expect([channel.status, channel.body?.error?.code]).toEqual(refused);
  }

  // Two minutes later, for the process alone.
  environment.TEST_CLOCK_OFFSET_MS = String(LATER_MS);
  environment.NODE_OPTIONS = `--require ${join(REPOSITORY, 'test-e2e/support/clock-offset.cjs')}`;
  await tollgate.restart();
  await eventually(
    () => statusOf(id),
    (status) => status === 'erased',
  );
  expect(await tollgate.api.get('/v1/admin/audit?fresh=true')).toMatchObject({ ok: true });
  expect(await numbersOf(id)).toEqual(before);
  expect(await tollgate.api.get(`/v1/admin/accounts/${id}`)).toMatchObject({ name: 'erased' });
  if (isDistributed()) await untilEveryoneHeard();
  tollgate.process.signal('SIGTERM');
  expect(await tollgate.process.exited).toBe(0);
  expect(await storedWith(NAME)).toEqual([]);
  // Found in the same way, so the search finds what is there.
  expect((await storedWith(id.toLowerCase())).length).toBeGreaterThan(0);
});
