import type { FaultSystem } from '../faults/fault-system';
import { createKey, type KeyedAccount, openAccount, openAccountWithKey } from '../support/accounts';
import { type Api, type ApiAnswer, type ApiData, createApi } from '../support/api';
import { eventually } from '../support/eventually';
import { CHAT } from '../support/openapi/openapi-fixture';
import { PAYMENTS } from '../support/payments';
import { type RestoredAlone, restoredKeys, testEachRestoredAlone } from '../support/restored-alone';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver';

jest.setTimeout(300_000);

let system: FaultSystem;
let receiver: WebhookReceiver;
let operator: Api;

const MODEL = 'sim-small';

const statusOf = async (answer: Promise<{ readonly status: number }>) => (await answer).status;
const ask = (api: Api, model = MODEL) =>
  api.request('POST', '/v1/chat/completions', { body: { ...CHAT, model } });
const creditsOf = async (api: Api) => (await api.get('/v1/billing/balance')).total_credits;

async function makeCodes(count: number): Promise<readonly { id: string; code: string }[]> {
  const { codes } = await operator.post('/v1/admin/codes', { amount: '5.00', count });
  return (codes as readonly ApiData[]).map(({ id, code }) => ({
    id: String(id),
    code: String(code),
  }));
}

const redeem = (api: Api, code: string) =>
  api.request('POST', '/v1/account/redeem', { body: { code } });

function pay(accountId: string, eventId: string) {
  const data = { account_id: accountId, amount: '25.00', currency: 'USD' };
  const body = { type: 'topup.succeeded', data };
  const headers = PAYMENTS.sign(body, eventId);
  return createApi(system.baseUrl, undefined).request('POST', '/v1/topups/shop', {
    body,
    headers,
  });
}

/** A claim that is missing beside its credit. */
async function claims(): Promise<RestoredAlone> {
  const { owner } = await openAccount(operator);
  const { id, owner: paid } = await openAccount(operator);
  const [own, taken, revoked] = await makeCodes(3);
  if (own === undefined || taken === undefined || revoked === undefined) throw new Error('no code');
  const ids = [own, taken, revoked].map((code) => `code:${code.id}`);
  return {
    filter: { _id: { $in: [...ids, 'topup:shop:evt_today'] } },
    async changeAfterCopy() {
      for (const { code } of [own, taken]) expect((await redeem(owner.api, code)).status).toBe(200);
      await operator.request('DELETE', `/v1/admin/codes/${revoked.id}`);
      expect((await pay(id, 'evt_today')).status).toBe(200);
    },
    async checkAfterRestore() {
      // Who has the credit is answered it again, and gets no other.
      expect((await redeem(owner.api, own.code)).status).toBe(200);
      expect(await creditsOf(owner.api)).toBe('10.00');
      expect((await pay(id, 'evt_today')).status).toBe(200);
      expect(await creditsOf(paid.api)).toBe('25.00');
      // What nobody has claimed is anybody's, a second time.
      const { owner: other } = await openAccount(operator);
      for (const { code } of [taken, revoked]) {
        expect((await redeem(other.api, code)).status).toBe(200);
      }
      expect(await creditsOf(other.api)).toBe('10.00');
    },
  };
}

async function codes(): Promise<RestoredAlone> {
  const { owner } = await openAccount(operator);
  const { owner: other } = await openAccount(operator);
  const [old] = await makeCodes(1);
  let made: { readonly id: string; readonly code: string } | undefined;
  const ids: string[] = [];
  return {
    filter: { _id: { $in: ids } },
    async changeAfterCopy() {
      [made] = await makeCodes(1);
      ids.push(String(old?.id), String(made?.id));
      expect((await redeem(owner.api, String(old?.code))).status).toBe(200);
    },
    async checkAfterRestore() {
      // A code of today is none; one of yesterday stays with whoever has it.
      expect((await redeem(other.api, String(made?.code))).status).toBe(404);
      expect((await redeem(other.api, String(old?.code))).status).toBe(404);
      expect((await redeem(owner.api, String(old?.code))).status).toBe(200);
      expect(await creditsOf(owner.api)).toBe('5.00');
    },
  };
}

async function plans(): Promise<RestoredAlone> {
  const plan = { requests_per_minute: 70, requests_per_day: null, concurrent_requests: 5 };
  await operator.post('/v1/admin/plans', { id: 'of-yesterday', name: 'Old', ...plan });
  const changed = await openAccountWithKey(operator, { plan: 'of-yesterday', credit: '1.00' });
  let moved: KeyedAccount;
  return {
    filter: { _id: { $in: ['of-yesterday', 'of-today'] } },
    async changeAfterCopy() {
      const body = { requests_per_minute: 80 };
      await operator.request('PATCH', '/v1/admin/plans/of-yesterday', { body });
      await operator.post('/v1/admin/plans', { id: 'of-today', name: 'New', ...plan });
      moved = await openAccountWithKey(operator, { plan: 'of-today', credit: '1.00' });
    },
    async checkAfterRestore() {
      const answer = await ask(changed.api);
      const limit = answer.headers.get('x-ratelimit-limit-requests');
      expect([answer.status, limit]).toEqual([200, '70']);
      // A plan that nobody knows has no limits to serve by, until the account has another.
      expect((await ask(moved.api)).status).toBe(503);
      await operator.put(`/v1/admin/accounts/${moved.id}/plan`, { plan: 'of-yesterday' });
      await eventually(
        () => statusOf(ask(moved.api)),
        (status) => status === 200,
      );
    },
  };
}

async function catalogue(): Promise<RestoredAlone> {
  const model = { context_length: 1000, max_completion_tokens: 100 };
  const priced = (prompt: string) => ({ pricing: { prompt, completion: '1.00' } });
  const account = await openAccountWithKey(operator, { credit: '1.00' });
  await operator.post('/v1/admin/models', { name: 'old-model', ...model, ...priced('1.00') });
  const promptPriceOf = async () => {
    const { body } = await operator.request('GET', '/v1/models/old-model');
    return (body as { readonly pricing?: ApiData } | undefined)?.pricing?.prompt;
  };
  return {
    filter: { _id: { $in: ['old-model', 'new-model'] } },
    async changeAfterCopy() {
      const body = priced('2.00');
      await operator.request('PATCH', '/v1/admin/models/old-model', { body });
      await operator.post('/v1/admin/models', { name: 'new-model', ...model, ...priced('1.00') });
    },
    async checkAfterRestore() {
      expect(await promptPriceOf()).toBe('1.00');
      expect((await ask(account.api, 'new-model')).status).toBe(404);
      expect((await ask(account.api)).status).toBe(200);
      const body = priced('3.00');
      const change = operator.request('PATCH', '/v1/admin/models/old-model', { body });
      expect((await change).status).toBe(200);
      expect(await promptPriceOf()).toBe('3.00');
    },
  };
}

async function channels(): Promise<RestoredAlone> {
  const { items } = await operator.get('/v1/admin/channels');
  const [first] = items as readonly ApiData[];
  const account = await openAccountWithKey(operator, { credit: '1.00' });
  const open = async (name: string) => {
    const settings = { type: 'simulator', base_url: first?.base_url, credential: 'any' };
    const models = [{ name: MODEL, upstream_name: MODEL }];
    return String((await operator.post('/v1/admin/channels', { name, ...settings, models })).id);
  };
  const old = await open('old');
  const ids = [old];
  return {
    filter: { _id: { $in: ids } },
    async changeAfterCopy() {
      ids.push(await open('new'));
      expect(await statusOf(operator.request('DELETE', `/v1/admin/channels/${old}`))).toBe(200);
    },
    async checkAfterRestore() {
      expect(await operator.get(`/v1/admin/channels/${old}`)).toMatchObject({ name: 'old' });
      expect(await statusOf(operator.request('GET', `/v1/admin/channels/${ids[1]}`))).toBe(404);
      expect((await ask(account.api)).status).toBe(200);
      expect(await statusOf(operator.request('DELETE', `/v1/admin/channels/${old}`))).toBe(200);
    },
  };
}

/** An account whose endpoint was told of a key yesterday, and is of another one today. */
async function told(path: string) {
  const { id: accountId, owner } = await openAccount(operator);
  const subscribe = async (to: string) =>
    String(
      (await owner.api.post('/v1/webhooks', { url: receiver.url(to), events: ['key.created'] })).id,
    );
  const endpoint = await subscribe(path);
  /** What has arrived is sent again where a restore meets it before that is written. */
  const untilWritten = (id: string) =>
    eventually(
      async () =>
        (await owner.api.get(`/v1/webhooks/${id}/deliveries`)).items as readonly ApiData[],
      (items) => items.every(({ status }) => status === 'succeeded'),
    );
  const tell = async (count: number) => {
    await createKey(owner.api);
    const arrived = await receiver.waitFor(path, count);
    await untilWritten(endpoint);
    return arrived;
  };
  await tell(1);
  return { accountId, owner, endpoint, subscribe, tell, untilWritten };
}

async function endpoints(): Promise<RestoredAlone> {
  const { accountId, owner, endpoint, subscribe, tell, untilWritten } = await told('/endpoints');
  return {
    filter: { accountId },
    async changeAfterCopy() {
      const ofToday = await subscribe('/endpoints-of-today');
      await tell(2);
      await receiver.waitFor('/endpoints-of-today', 1);
      await untilWritten(ofToday);
    },
    async checkAfterRestore() {
      const numbers = (await tell(3)).map(({ event }) => event.sequence);
      expect(numbers).toEqual([1, 2, 3]);
      expect(receiver.received('/endpoints-of-today')).toHaveLength(1);
      const { items } = await owner.api.get(`/v1/webhooks/${endpoint}/deliveries`);
      expect(items).toHaveLength(3);
    },
  };
}

async function deliveries(): Promise<RestoredAlone> {
  const { accountId, owner, endpoint, tell } = await told('/deliveries');
  return {
    filter: { accountId },
    async changeAfterCopy() {
      await tell(2);
    },
    async checkAfterRestore() {
      const numbers = (await tell(3)).map(({ event }) => event.sequence);
      expect(numbers).toEqual([1, 2, 3]);
      const { items } = await owner.api.get(`/v1/webhooks/${endpoint}/deliveries`);
      expect(items).toHaveLength(2);
    },
  };
}

/** An account of whose requests one was counted yesterday and one today. */
async function counted(): Promise<{ readonly accountId: string; ask(sum: number): Promise<void> }> {
  const account = await openAccountWithKey(operator, { credit: '1.00' });
  const requests = async () => {
    const { totals } = await account.session.get('/v1/stats');
    return (totals as ApiData).requests;
  };
  const askUntil = async (sum: number) => {
    expect((await ask(account.api)).status).toBe(200);
    await eventually(requests, (found) => found === sum);
  };
  await askUntil(1);
  return { accountId: account.id, ask: askUntil };
}

async function figures(): Promise<RestoredAlone> {
  const { accountId, ask: askUntil } = await counted();
  return {
    filter: { accountId },
    changeAfterCopy: () => askUntil(2),
    // What its cursor says was counted is not counted again: the figures of today are gone.
    checkAfterRestore: () => askUntil(2),
  };
}

async function cursors(): Promise<RestoredAlone> {
  const { accountId, ask: askUntil } = await counted();
  return {
    filter: { _id: accountId },
    changeAfterCopy: () => askUntil(2),
    // Each bucket knows how far it has come.
    checkAfterRestore: () => askUntil(3),
  };
}

const idOfData = ({ body }: ApiAnswer) => String(body?.data?.id);
const withKey = (key: string) => ({ 'idempotency-key': key });

/** Codes are made again under a key of today; credit, whose keys the claims have, is not. */
async function keysOfBilling(): Promise<RestoredAlone> {
  const { id, owner } = await openAccount(operator);
  const credit = () =>
    operator.request('POST', `/v1/admin/accounts/${id}/credits`, {
      body: { amount: '5.00' },
      headers: withKey('credit-of-today'),
    });
  const ofCodes = await restoredKeys(
    (key) =>
      operator.request('POST', '/v1/admin/codes', {
        body: { amount: '5.00' },
        headers: withKey(key),
      }),
    ({ body }) => String((body?.data?.codes as readonly ApiData[] | undefined)?.[0]?.id),
  );
  return {
    filter: ofCodes.filter,
    async changeAfterCopy() {
      await ofCodes.changeAfterCopy();
      await credit();
    },
    async checkAfterRestore() {
      await ofCodes.checkAfterRestore();
      await credit();
      expect(await creditsOf(owner.api)).toBe('5.00');
    },
  };
}

async function keysOfRouting(): Promise<RestoredAlone> {
  const { items } = await operator.get('/v1/admin/channels');
  const [first] = items as readonly ApiData[];
  const create = (key: string) => {
    const settings = { name: key, type: 'simulator', base_url: first?.base_url, credential: 'any' };
    const body = { ...settings, models: [{ name: MODEL, upstream_name: MODEL }] };
    return operator.request('POST', '/v1/admin/channels', { body, headers: withKey(key) });
  };
  return restoredKeys(create, idOfData);
}

async function keysOfWebhook(): Promise<RestoredAlone> {
  const { owner } = await openAccount(operator);
  const body = { url: receiver.url('/keys'), events: ['key.created'] };
  return restoredKeys(
    (key) => owner.api.request('POST', '/v1/webhooks', { body, headers: withKey(key) }),
    idOfData,
  );
}

const COLLECTIONS = {
  billing_claims: claims,
  billing_codes: codes,
  billing_idempotency: keysOfBilling,
  billing_plans: plans,
  channels,
  models: catalogue,
  routing_idempotency: keysOfRouting,
  usage_cursors: cursors,
  usage_figures: figures,
  webhook_deliveries: deliveries,
  webhook_endpoints: endpoints,
  webhook_idempotency: keysOfWebhook,
} as const;

testEachRestoredAlone('one collection as it was yesterday, all others of today', {
  collections: COLLECTIONS,
  async settings() {
    receiver = await startWebhookReceiver();
    return {
      TOLLGATE_TOPUP_SECRETS: PAYMENTS.configured,
      TOLLGATE_WEBHOOK_ALLOWED_HOSTS: receiver.host,
    };
  },
  onStarted(started, by) {
    system = started;
    operator = by;
  },
  stop: () => receiver.stop(),
});
