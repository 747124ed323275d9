import { keyText } from '../../testing/fixtures';
import { type GatewayUnderTest, startGateway } from '../../testing/gateway-fixture';

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
  const pricing = (prompt: string) =>
    JSON.stringify({ pricing: { prompt, completion: '50.00', cached_prompt: '0.00' } });
  const write = {
    operation: 'PATCH /v1/admin/models/{id}',
    outcome: 'AUDIT_OUTCOME_SUCCEEDED' as const,
    beforeJson: pricing('100.00'),
    afterJson: pricing('200.00'),
  };
  // The newest changed no price, the next may not have been made, the last is of other prices.
  const writes = [
    { ...write, actorUserId: 'usr_bob', beforeJson: pricing('200.00') },
    { ...write, actorUserId: 'usr_bob', outcome: 'AUDIT_OUTCOME_UNSPECIFIED' as const },
    { ...write, actorUserId: 'usr_ann' },
    { ...write, actorUserId: 'usr_bob', afterJson: pricing('150.00') },
  ].map((one, index) => ({ ...one, id: `aud_${index}`, at: SINCE }));
  gateway.identity.handlers.listAuditEntries = async ({ resourceId }) => ({
    entries: resourceId === 'big' ? writes : [],
  });
  gateway.identity.handlers.getAuditEntry = async ({ id }) => ({
    entry: writes.find((one) => one.id === id) ?? null,
  });
  gateway.identity.handlers.getUser = async ({ userId }) => ({
    user: { id: userId, email: `${userId}@acme.test` },
  });
});
afterEach(() => gateway.stop());

async function listPrice(): Promise<unknown> {
  const path = '/v1/admin/requests/req_7';
  const { status, json } = await gateway.send('GET', path, { key });
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
    discount_set: null,
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

test('a mark-up has who gave it to the account before the request, and so has the account', async () => {
  const overrides = (discount: string) => JSON.stringify({ overrides: { discount } });
  const operation = 'PATCH /v1/admin/accounts/{id}';
  const outcome = 'AUDIT_OUTCOME_SUCCEEDED' as const;
  const of = { operation, outcome, actorUserId: 'usr_bob' };
  const [set, same, later] = ['2026-02-03T09:00:00.000Z', SINCE, '2026-02-03T11:00:00.000Z'];
  const entries = [
    {
      ...of,
      id: 'aud_2',
      at: later,
      beforeJson: overrides('-10.00'),
      afterJson: overrides('-20.00'),
    },
    {
      ...of,
      id: 'aud_1',
      at: same,
      beforeJson: overrides('-10.00'),
      afterJson: overrides('-10.00'),
    },
    { ...of, id: 'aud_0', at: set, beforeJson: overrides('0.00'), afterJson: overrides('-10.00') },
  ];
  gateway.identity.handlers.listAuditEntries = async ({ end, resourceId }) => ({
    entries: entries.filter(({ at }) => resourceId === 'acc_7' && (!end || at < end)),
  });
  gateway.identity.handlers.getAuditEntry = async ({ id }) => ({
    entry: entries.find((one) => one.id === id) ?? null,
  });
  const by = 'usr_bob@acme.test';
  expect(await listPrice()).toMatchObject({ discount: '-10.00', discount_set: { at: set, by } });
  const account = { id: 'acc_7', name: 'Acme', status: 'ACCOUNT_STATUS_ACTIVE' as const };
  gateway.identity.handlers.getAccount = async () => ({
    account: { ...account, terms: { discount: -2000 } },
  });
  const { json } = await gateway.send('GET', '/v1/admin/accounts/acc_7', { key });
  expect(json.data).toMatchObject({ switched_off: null, discount_set: { at: later, by } });
  const suspended = { id: 'aud_3', at: later, requestJson: '{"status":"suspended"}' };
  entries.unshift({ ...of, beforeJson: '', afterJson: '', ...suspended });
  gateway.identity.handlers.getAccount = async () => ({
    account: { ...account, status: 'ACCOUNT_STATUS_SUSPENDED' },
  });
  const { json: off } = await gateway.send('GET', '/v1/admin/accounts/acc_7', {
    key,
  });
  expect(off.data).toMatchObject({ switched_off: { at: later, by }, discount_set: null });
});
