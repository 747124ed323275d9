import { keyText, refusing } from '../../testing/fixtures';
import { type GatewayUnderTest, startGateway } from '../../testing/gateway-fixture';

const key = keyText(1);
let gateway: GatewayUnderTest;

beforeEach(async () => {
  gateway = await startGateway();
  gateway.principals.set(key, {});
});
afterEach(() => gateway.stop());

test.each(['SERVICE_UNAVAILABLE', 'DATABASE_ERROR', 'NOT_FOUND'] as const)(
  'a new secret is told though billing answers %s',
  async (code) => {
    gateway.identity.handlers.rotateApiKey = async () => ({
      apiKey: { id: 'key_7', status: 'API_KEY_STATUS_ACTIVE', maxBudget: '10' },
      secret: 'the-new-secret',
    });
    gateway.billing.handlers.getKeyBudgets = refusing(code);
    const { status, json } = await gateway.send('POST', '/v1/keys/key_7/rotate', { key, body: {} });
    expect([status, json.data]).toMatchObject([200, { key: 'the-new-secret', spend: null }]);
  },
);
