import { keyText } from '../../testing/fixtures';
import { type GatewayUnderTest, startGateway } from '../../testing/gateway-fixture';

const key = keyText(1);
let gateway: GatewayUnderTest;

beforeAll(async () => {
  gateway = await startGateway();
  gateway.principals.set(key, { operator: true, scopes: ['admin'] });
});
afterAll(() => gateway.stop());

test.each(['requests_per_minute', 'requests_per_day', 'concurrent_requests'])(
  'a plan whose %s would let nothing pass is refused, with what to do instead',
  async (limit) => {
    const body = { [limit]: 0 };
    const answer = await gateway.send('PATCH', '/v1/admin/plans/free', {
      key,
      body,
    });
    expect(answer.status).toBe(400);
    expect(answer.json.error).toMatchObject({ code: 'VALIDATION_ERROR', param: limit });
    expect(answer.json.error?.message).toContain('suspend them instead');
  },
);

test('beside the plans stands what holds for an account with limits of its own', async () => {
  // Below zero is unlimited there.
  const limits = { requestsPerDay: 10_000, concurrentRequests: -1 };
  gateway.principals.set(keyText(2), { accountTerms: { limits } });
  gateway.principals.set(keyText(3), {});
  const limitsOf = async (of: string) => {
    const { json } = await gateway.send('GET', '/v1/billing/plans', { key: of });
    return (json as { readonly data: { readonly limits: unknown } }).data.limits;
  };
  expect(await limitsOf(keyText(2))).toEqual({
    requests_per_minute: 60,
    requests_per_day: 10_000,
    concurrent_requests: null,
  });
  expect(await limitsOf(keyText(3))).toMatchObject({
    requests_per_minute: 60,
    requests_per_day: 1000,
  });
});

const owner = { email: 'a@example.com', password: 'placeholder' };

test.each([
  ['POST', '/v1/admin/accounts', { name: 'Acme', owner }],
  ['PUT', '/v1/admin/accounts/acc_7/plan', {}],
])(
  '%s %s refuses a plan that does not exist, and names those that do',
  async (method, path, rest) => {
    const touched: string[] = [];
    gateway.identity.handlers.createAccount = async () => {
      touched.push('created');
      return {};
    };
    gateway.identity.handlers.updateAccount = async () => {
      touched.push('changed');
      return {};
    };
    const body = { ...rest, plan: 'starter' };
    const answer = await gateway.send(method, path, { key, body });
    expect(answer.status).toBe(400);
    expect(answer.json.error).toMatchObject({ code: 'VALIDATION_ERROR', param: 'plan' });
    expect(answer.json.error?.message).toContain('must be one of free, ');
    expect(touched).toEqual([]);
  },
);
