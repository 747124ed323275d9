import { keyText, refusing } from '../../testing/fixtures';
import { type GatewayUnderTest, startGateway } from '../../testing/gateway-fixture';

const key = keyText(1);
const CHECKED = '2026-02-03T10:00:00.000Z';
let gateway: GatewayUnderTest;

beforeEach(async () => {
  gateway = await startGateway();
  gateway.principals.set(key, { operator: true, scopes: ['admin', 'billing'] });
  gateway.identity.handlers.getAccount = async () => ({ account: { id: 'acc_7', plan: 'free' } });
  gateway.billing.handlers.getBalance = async () => ({
    accountId: 'acc_7',
    currency: 'USD',
    totalCredits: '5000000000',
    totalUsage: '40000000',
    balance: '4960000000',
    reserved: '500000000',
    available: '4460000000',
    suspendBelow: '200000000000',
    spendingSuspended: true,
  });
});
afterEach(() => gateway.stop());

async function ask(query = '?audit=true'): Promise<Readonly<Record<string, unknown>>> {
  const path = `/v1/admin/accounts/acc_7/balance${query}`;
  return (await gateway.send('GET', path, { key })).json.data ?? {};
}

const STOPPED = 'spends nothing below 200.00, as it set itself';
const HELD = '0.50 reserved for requests that run or may come next, 4.46 available';

test('one call says where the money of an account went, and whether its books add up', async () => {
  gateway.billing.handlers.audit = async ({ accountId }) => ({
    ok: accountId === 'acc_7',
    drift: '0',
    checkedAt: CHECKED,
  });
  expect(await ask()).toMatchObject({
    balance: '4.96',
    in_words: `5.00 in - 0.04 used = 4.96, adds up; ${HELD}; ${STOPPED}`,
    audit: { ok: true, drift: '0.00', findings: [], checked_at: CHECKED },
  });
  const finding = { accountId: 'acc_7', rule: 'sum', detail: 'granted 5, found 4' };
  gateway.billing.handlers.audit = async () => ({
    ok: false,
    drift: '1000000000',
    findings: [finding],
    checkedAt: CHECKED,
  });
  expect(await ask()).toMatchObject({
    in_words: `5.00 in - 0.04 used = 4.96, does NOT add up (1 finding in audit); ${HELD}; ${STOPPED}`,
    audit: { ok: false, drift: '1.00', findings: [{ rule: 'sum', detail: finding.detail }] },
  });
});

test('books that cannot be checked in time leave the balance, and say so', async () => {
  gateway.billing.handlers.audit = refusing('SERVICE_UNAVAILABLE');
  const told = await ask();
  expect(told).toMatchObject({ balance: '4.96', audit: null });
  expect(told.in_words).toContain('not audited: GET');
});

test('what an account may not spend is told with any balance, and to itself', async () => {
  const spending = { suspend_below: '200.00', suspended: true };
  expect(await ask('')).toMatchObject({ spending });
  const { json } = await gateway.send('GET', '/v1/billing/balance', { key });
  expect(json.data ?? json).toMatchObject({ spending });
  // One that does not say is not taken for one that has none.
  gateway.billing.handlers.getBalance = async () => ({ accountId: 'acc_7', balance: '1' });
  expect(await ask('')).toMatchObject({ spending: null });
});

test('nothing is audited for who wants the balance alone, as lists of accounts do', async () => {
  let audits = 0;
  gateway.billing.handlers.audit = async () => {
    audits += 1;
    return { ok: true, drift: '0', checkedAt: CHECKED };
  };
  expect(await ask('')).toMatchObject({ balance: '4.96', audit: null });
  expect(audits).toBe(0);
});

test('what was adjusted is told apart from what was paid, and why nothing may be spent', async () => {
  gateway.billing.handlers.audit = async () => ({ ok: true, drift: '0', checkedAt: CHECKED });
  const month = { currency: 'USD', opening: '0', charges: '0', closing: '0', lines: [] };
  gateway.billing.handlers.listStatements = async () => ({
    statements: [
      { ...month, month: '2026-02', credits: '0', adjustments: '-1500000000' },
      { ...month, month: '2026-01', credits: '6500000000', adjustments: '0' },
    ],
  });
  const told = await ask();
  expect(told).toMatchObject({
    credited: '6.50',
    adjusted: '-1.50',
    total_credits: '5.00',
    spending: { suspend_below: '200.00', suspended: true },
  });
  expect(told.in_words).toBe(
    `6.50 credited - 1.50 adjusted - 0.04 used = 4.96, adds up; ${HELD}; ${STOPPED}`,
  );
  expect(await ask('')).toMatchObject({ credited: null, adjusted: null });
  // Sums that are of another moment than the balance explain nothing.
  gateway.billing.handlers.listStatements = async () => ({
    statements: [{ ...month, month: '2026-01', credits: '1', adjustments: '0' }],
  });
  expect(await ask()).toMatchObject({ credited: null, adjusted: null });
});

test('what is reserved has the requests that hold it, or whom nobody could ask', async () => {
  gateway.billing.handlers.audit = async () => ({ ok: true, drift: '0', checkedAt: CHECKED });
  expect(await ask('')).toMatchObject({ running: null });
  const asked: unknown[] = [];
  gateway.completion.handlers.listActiveRequests = async (sought) => {
    asked.push(sought);
    return { requests: [ACTIVE], count: 1, reserved: ACTIVE.reserved };
  };
  expect(await ask()).toMatchObject({
    running: {
      count: 1,
      reserved: '0.276451',
      items: [
        {
          id: 'req_1',
          client_request_id: 'my-own-77',
          key_id: 'key_1',
          requested_model: 'auto',
          model: 'ok',
          channel_id: 'chn_1',
          attempts: 1,
          reserved: '0.276451',
          started_at: '2026-02-03T10:00:00.000Z',
        },
      ],
      silent: [],
    },
  });
  expect(asked).toEqual([{ accountId: 'acc_7', name: '' }]);
  gateway.completion.handlers.listActiveRequests = refusing('SERVICE_UNAVAILABLE');
  const silent = [gateway.completion.address];
  expect(await ask()).toMatchObject({ running: { count: 0, items: [], silent } });
});

const ACTIVE = {
  requestId: 'req_1',
  clientRequestId: 'my-own-77',
  accountId: 'acc_7',
  keyId: 'key_1',
  requestedModel: 'auto',
  model: 'ok',
  channelId: 'chn_1',
  attempts: 1,
  reserved: 276_451_000n,
  startedAtMs: BigInt(Date.parse(CHECKED)),
};

test('a request that runs is told by its id and by what its client called it', async () => {
  const notFound = refusing('NOT_FOUND');
  gateway.billing.handlers.getReceipt = notFound;
  gateway.stats.handlers.getRefusal = notFound;
  gateway.routing.handlers.getChannel = async () => ({ channel: { name: 'first channel' } });
  const tell = async (id: string) => {
    const path = `/v1/admin/requests/${id}`;
    const { json, status } = await gateway.send('GET', path, { key });
    expect(status).toBe(404);
    return json.error?.message;
  };
  let requests = [ACTIVE];
  gateway.completion.handlers.listActiveRequests = async ({ name }) => {
    const found = requests.filter(
      ({ clientRequestId, requestId }) => name === requestId || name === clientRequestId,
    );
    return { requests: found, count: found.length, reserved: 0n };
  };
  const told =
    /has not ended: it runs since 2026-02-03T10:00:00\.000Z, for \d+ s, of acc_7 with key_1; ok at "first channel" is asked \(call 1\), and 0\.276451 is reserved\./;
  expect(await tell('req_1')).toMatch(new RegExp(`^This request ${told.source}`));
  expect(await tell('my-own-77')).toMatch(new RegExp(`^req_1, the newest .* ${told.source}`));
  requests = [];
  const unknown = await tell('my-own-77');
  expect(unknown).toMatch(/^No request has this id, and none runs that its client called so: /);
  expect(unknown).not.toContain('did not say');
  gateway.completion.handlers.listActiveRequests = notFound;
  expect(await tell('my-own-77')).toContain(
    ` ${gateway.completion.address} did not say what runs there.`,
  );
});
