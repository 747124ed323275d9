import { createKey } from '../support/accounts';
import { type Api, createApi } from '../support/api';
import { eventually } from '../support/eventually';
import { directive, listDeliveries, simulatorUrl } from '../support/vendors/simulator';
import { startTwoGateways, type TwoGateways } from '../topologies/two-gateways';

jest.setTimeout(120_000);

let two: TwoGateways;
/** One API key at both gateways. */
let apis: readonly [Api, Api];
let keyId: string;
let vendorUrl: string;

beforeAll(async () => {
  two = await startTwoGateways();
  const { first, secondUrl } = two;
  // Without a limit that a hundred requests at once would meet.
  const me = await first.api.get('/v1/billing/balance');
  await first.api.put(`/v1/admin/accounts/${me.account_id}/plan`, { plan: 'enterprise' });
  const { id, secret: key } = await createKey(first.api);
  keyId = id;
  apis = [createApi(first.baseUrl, key), createApi(secondUrl, key)];
  vendorUrl = await simulatorUrl(first.api);
});

afterAll(() => two?.stop());

const PATH = '/v1/chat/completions';
const bodyOf = (settings: Readonly<Record<string, unknown>>, stream = false) => ({
  model: 'sim-small',
  stream,
  messages: [{ role: 'user', content: directive(settings) }],
});
const charges = async () => {
  const { items } = await two.first.api.get(`/v1/billing/ledger?limit=200&key_id=${keyId}`);
  return items as readonly { readonly kind: string; readonly request_id: string }[];
};

/** What of a request reached the vendor and the ledger. */
async function tracesOf(requestId: string): Promise<readonly [calls: number, charges: number]> {
  const charged = await eventually(charges, (items) =>
    items.some((item) => item.request_id === requestId),
  );
  const calls = (await listDeliveries(vendorUrl)).filter((one) => one.request_id === requestId);
  return [calls.length, charged.filter((item) => item.request_id === requestId).length];
}

/** The id that an answer bears: of the request that made it. */
const idIn = (text: string) => /chatcmpl-(req_\w+)/.exec(text)?.[1] ?? '';

test.each([false, true])(
  'a hundred equal requests at two gateways are one, streamed: %s',
  async (stream) => {
    const before = (await charges()).length;
    const headers = { 'idempotency-key': `hundred-${stream}` };
    const body = bodyOf({ tokens: 20, token_interval_ms: 20 }, stream);
    const send = (api: Api) => api.request('POST', PATH, { body, headers });
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => send(apis[n % 2 ? 0 : 1])),
    );
    const texts = new Set<string>();
    for (const answer of answers) {
      if (answer.status === 200) texts.add(answer.text);
      else expect(answer).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
    }
    expect(texts.size).toBe(1);
    for (const api of apis) {
      const again = await send(api);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      texts.add(again.text);
    }
    expect(texts.size).toBe(1);
    expect(await tracesOf(idIn([...texts].join('')))).toEqual([1, 1]);
    expect(await charges()).toHaveLength(before + 1);
  },
);

test('another body with the same key is refused, and another API key knows nothing of it', async () => {
  const headers = { 'idempotency-key': 'mine' };
  const [api] = apis;
  const first = await api.request('POST', PATH, { body: bodyOf({ tokens: 1 }), headers });
  const other = await api.request('POST', PATH, { body: bodyOf({ tokens: 2 }), headers });
  expect(other).toMatchObject({ status: 422, body: { error: { code: 'IDEMPOTENCY_MISMATCH' } } });
  const foreign = await two.first.api.request('POST', PATH, {
    body: bodyOf({ tokens: 1 }),
    headers,
  });
  expect(foreign.status).toBe(200);
  expect(idIn(foreign.text)).not.toBe(idIn(first.text));
  const path = `/v1/requests/${idIn(first.text)}/answer`;
  expect((await api.request('GET', path)).text).toBe(first.text);
  expect((await two.first.api.request('GET', path)).status).toBe(404);
});

test('a request that was refused may be sent again with its key', async () => {
  const headers = { 'idempotency-key': 'refused' };
  const [api] = apis;
  const body = bodyOf({ tokens: 3 });
  const tooDear = { ...headers, 'x-tollgate-max-cost': '0' };
  expect((await api.request('POST', PATH, { body, headers: tooDear })).status).toBe(402);
  expect((await api.request('POST', PATH, { body, headers })).status).toBe(200);
});

test('kill -9 of a gateway in the middle of an answer loses and repeats nothing', async () => {
  const headers = { 'idempotency-key': 'killed' };
  const body = bodyOf({ tokens: 40, token_interval_ms: 50 }, true);
  const [api, second] = apis;
  const known = new Set((await listDeliveries(vendorUrl)).map((one) => one.request_id));
  const cut = second.request('POST', PATH, { body, headers }).catch(() => undefined);
  await eventually(
    () => listDeliveries(vendorUrl),
    (all) => all.some(({ request_id, tokens }) => !known.has(request_id) && tokens > 2),
  );
  await two.killSecond();
  await cut;
  const answer = await eventually(
    () => api.request('POST', PATH, { body, headers }),
    ({ status }) => status === 200,
  );
  expect(answer.headers.get('idempotency-replayed')).toBe('true');
  expect(answer.text).toContain('data: [DONE]');
  expect(await tracesOf(idIn(answer.text))).toEqual([1, 1]);
  expect(await two.first.api.get('/v1/admin/audit?fresh=true')).toMatchObject({ ok: true });
});
