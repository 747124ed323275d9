import { keyText } from '../../testing/fixtures';
import { sendRequest } from '../../testing/http-client';
import { type GatewayUnderTest, startGateway } from '../../testing/start-gateway';

const key = keyText(1);
const AT = '2026-02-03T10:00:00.000Z';
const SINCE = '2026-02-03T09:40:34.000Z';
let gateway: GatewayUnderTest;
let record: Record<string, unknown>;

const price = (version: number, prompt: string, effectiveAt: string) => ({
  version,
  effectiveAt,
  currency: 'USD',
  prompt,
  completion: '50000000000',
  cachedPrompt: '0',
});

beforeEach(async () => {
  gateway = await startGateway();
  gateway.principals.set(key, { operator: true, scopes: ['admin'] });
  record = {
    accountId: 'acc_7',
    requestId: 'req_7',
    model: 'big',
    requestedModel: 'big',
    priceVersion: 2,
    promptPrice: '220000000000',
    completionPrice: '55000000000',
    startedAt: AT,
    endedAt: AT,
  };
  gateway.billing.handlers.getReceipt = async () => ({
    entry: { accountId: 'acc_7', seq: '1', kind: 'charge', amount: '1', at: AT, record },
  });
  gateway.routing.handlers.listModels = async ({ versionsOf }) => ({
    models: [
      {
        name: versionsOf,
        priceVersions: [price(1, '100000000000', AT), price(2, '200000000000', SINCE)],
      },
    ],
  });
  gateway.identity.handlers.listAuditEntries = async ({ resourceId }) => ({
    entries: ['2026-02-03T09:40:36.000Z', '2026-02-03T09:40:33.900Z', '2026-02-03T09:39:40.000Z']
      .filter(() => resourceId === 'big')
      .map((at, index) => ({
        id: `aud_${index}`,
        at,
        operation: index === 2 ? 'DELETE /v1/admin/models/{id}' : 'PATCH /v1/admin/models/{id}',
        actorUserId: index === 1 ? 'usr_ann' : 'usr_bob',
      })),
  });
  gateway.identity.handlers.getUser = async ({ userId }) => ({
    user: { id: userId, email: `${userId}@acme.test` },
  });
});
afterEach(() => gateway.stop());

async function listPrice(): Promise<unknown> {
  const path = '/v1/admin/requests/req_7';
  const { status, json } = await sendRequest(gateway.baseUrl, 'GET', path, { key });
  expect(status).toBe(200);
  return json.data?.list_price;
}

test('a story has the list price beside the paid one, the price before it and who changed it', async () => {
  expect(await listPrice()).toEqual({
    prompt: '200.00',
    completion: '50.00',
    cached_prompt: '0.00',
    cache_write: '200.00',
    discount: '-10.00',
    since: SINCE,
    changed_by: 'usr_ann@acme.test',
    before: { prompt: '100.00', completion: '50.00', cached_prompt: '0.00', cache_write: '100.00' },
  });
  record = { ...record, promptPrice: '175000000000' };
  expect(await listPrice()).toMatchObject({ discount: '12.50' });
  record = { ...record, promptPrice: '100000000000', priceVersion: 1 };
  expect(await listPrice()).toMatchObject({ discount: '0.00', before: null, changed_by: null });
});

test('what has no list, or an older routing does not tell, is null', async () => {
  record = { ...record, ownChannel: true };
  expect(await listPrice()).toBeNull();
  record = { ...record, ownChannel: false };
  gateway.routing.handlers.listModels = async () => ({ models: [{ name: 'big' }] });
  expect(await listPrice()).toBeNull();
});
