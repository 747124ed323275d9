import { keyText } from '../../testing/fixtures';
import { type GatewayUnderTest, startGateway } from '../../testing/gateway-fixture';

const limited = keyText(1);
const free = keyText(2);
let gateway: GatewayUnderTest;
let written: unknown[];

beforeAll(async () => {
  gateway = await startGateway();
  const scopes = ['billing'];
  gateway.principals.set(limited, { scopes, maxBudget: '10000000' });
  gateway.principals.set(free, { scopes });
  const state = { thresholds: { amounts: [], days: [] }, suspendBelow: '5000000000' };
  gateway.billing.handlers.getThresholds = async () => ({ state });
  gateway.billing.handlers.setThresholds = async ({ suspendBelow }) => {
    written.push(suspendBelow);
    return { state };
  };
});
beforeEach(() => {
  written = [];
});
afterAll(() => gateway.stop());

const put = (key: string, suspend_below: string | null) =>
  gateway.send('PUT', '/v1/billing/thresholds', { key, body: { suspend_below } });

test('a key with a budget of its own may raise what the account keeps back, and not lower it', async () => {
  for (const below of ['4.99', null]) {
    const { status, json } = await put(limited, below);
    expect([status, json.error?.code]).toEqual([403, 'FORBIDDEN']);
    expect(json.error).toMatchObject({ param: 'suspend_below' });
  }
  const removed = await gateway.send('DELETE', '/v1/billing/thresholds', {
    key: limited,
  });
  expect(removed.status).toBe(403);
  expect(written).toEqual([]);
  expect((await put(limited, '6.00')).status).toBe(200);
  expect((await put(free, null)).status).toBe(200);
  expect(written).toEqual(['6000000000', undefined]);
});
