import { ask } from '../testing/ask';
import { keyText } from '../testing/records';
import { type GatewayUnderTest, startGateway } from '../testing/start-gateway';

const key = keyText(1);
const CREDITS = '/v1/admin/accounts/acc_7/credits';
let gateway: GatewayUnderTest;

beforeAll(async () => {
  gateway = await startGateway({
    environment: { TOLLGATE_GATEWAY_MANAGEMENT_PER_MINUTE: '1000' },
  });
  gateway.principals.set(key, { operator: true, scopes: ['admin', 'keys'] });
});
afterAll(() => gateway.stop());

const post = (path: string, body: unknown) =>
  ask(gateway.baseUrl, 'POST', path, { key, body, headers: { 'idempotency-key': 'one' } });

describe('an amount that is not a decimal string', () => {
  const odd = ['1e5', 'NaN', 'Infinity', '', ' 1.00', '1,00', '+1', '.5', '1.', '0x10', '١'];

  test.each(odd)(
    '%j as credit is refused with the member and the form it takes',
    async (amount) => {
      const asked = await post(CREDITS, { amount });
      expect(asked.status).toBe(400);
      expect(asked.json.error).toMatchObject({ code: 'VALIDATION_ERROR', param: 'amount' });
      expect(asked.json.error?.message).toContain('must be a decimal string such as "10.00"');
    },
  );

  test.each(['1e5', 'NaN'])('%j as the budget of a key too', async (budget) => {
    const asked = await post('/v1/keys', { name: 'ci', max_budget: budget });
    expect(asked.json.error).toMatchObject({ code: 'VALIDATION_ERROR', param: 'max_budget' });
    expect(asked.json.error?.message).toContain('must be a decimal string such as "10.00"');
  });

  test('says of nothing and of less than nothing that it must be more', async () => {
    for (const amount of ['0', '0.00', '-0.00']) {
      const asked = await post(CREDITS, { amount });
      expect(asked.json.error?.param).toBe('amount');
      expect(asked.json.error?.message).toContain('must be more than 0');
    }
  });
});
