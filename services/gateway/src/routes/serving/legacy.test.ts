import { toIsoTime } from '@tollgate/core';
import { createFakeClock, type FakeClock } from '@tollgate/testkit';
import { keyText } from '../../testing/fixtures';
import {
  type GatewayUnderTest,
  noonAfterTomorrow,
  startGateway,
} from '../../testing/gateway-fixture';

const key = keyText(1);
const HALF_DAY_MS = 43_200_000;
const SUNSET = noonAfterTomorrow() + HALF_DAY_MS;
const SUNSET_DATE = toIsoTime(SUNSET).slice(0, 10);
let clock: FakeClock;
let gateway: GatewayUnderTest;

beforeAll(async () => {
  clock = createFakeClock(SUNSET - 1000);
  gateway = await startGateway({
    clock,
    environment: { TOLLGATE_LEGACY_SUNSET: SUNSET_DATE },
  });
  gateway.principals.set(key, {
    operator: true,
    role: 'ROLE_OPERATOR',
    scopes: ['keys', 'billing', 'stats', 'webhooks', 'admin'],
  });
  gateway.identity.handlers.listApiKeys = async () => ({ apiKeys: [] });
  gateway.billing.handlers.getBalance = async () => ({ currency: 'USD', balance: '1' });
  gateway.routing.handlers.listChannels = async () => ({ channels: [] });
  gateway.stats.handlers.queryUsage = async () => ({ totals: {}, asOf: '' });
  gateway.webhook.handlers.listEndpoints = async () => ({ endpoints: [] });
  gateway.identity.handlers.startOAuth = async () => ({ authorizationUrl: 'u', state: 's' });
});
afterAll(() => gateway.stop());

const PATHS = [
  ['/api/keys-v2', '/v1/keys'],
  ['/api/balance', '/v1/billing/balance'],
  ['/api/plans', '/v1/billing/plans'],
  ['/api/channels', '/v1/admin/channels'],
  ['/api/stats', '/v1/stats'],
  ['/api/webhooks', '/v1/webhooks'],
  ['/api/oauth/login?provider=x', '/v1/oauth/login'],
] as const;

const EVERY_PATH = [
  ...PATHS,
  ['/api/me', '/v1/users/me'],
  ['/api/oauth/callback?state=s', '/v1/oauth/callback'],
  ['/api/channels/chn_7', '/v1/admin/channels/{id}'],
  ['/api/channels/chn_7/health', '/v1/admin/channels/{id}/health'],
] as const;

function expectDeprecation(headers: Headers, v1Path: string): void {
  expect(headers.get('x-deprecated')).toBe('true');
  expect(headers.get('x-deprecated-message')).toContain(v1Path);
  expect(headers.get('x-sunset-date')).toBe(SUNSET_DATE);
  expect(headers.get('sunset')).toBe(new Date(SUNSET).toUTCString());
  expect(headers.get('deprecation')).toMatch(/^@\d+$/);
  expect(headers.get('link')).toBe(`<${v1Path}>; rel="successor-version"`);
  expect(headers.get('x-api-version')).toBeNull();
}

test.each(PATHS)('until its last second %s answers what %s answers, plain', async (path, v1) => {
  const legacy = await gateway.send('GET', path, { key });
  const present = await gateway.send('GET', `${v1}${path.split('?')[1] ? '?provider=x' : ''}`, {
    key,
  });
  expect(legacy.status).toBe(200);
  expect(present.status).toBe(200);
  const plain = (value: unknown) => ({ ...(value as object), start: '', end: '' });
  expect(plain(legacy.json)).toEqual(plain(present.json.data));
  expectDeprecation(legacy.headers, v1);
});

test('failures on legacy paths have the one body, and the headers', async () => {
  const received = await gateway.send('GET', '/api/balance');
  expect(received.status).toBe(401);
  expect(received.json).toMatchObject({ success: false, error: { code: 'UNAUTHORIZED' } });
  expectDeprecation(received.headers, '/v1/billing/balance');
  expect((await gateway.send('PUT', '/api/balance')).status).toBe(405);
});

describe('from midnight UTC of the sunset date on', () => {
  beforeAll(() => clock.advance(1000));

  test.each(EVERY_PATH)('%s is a 404 that names %s, with the headers', async (path, v1) => {
    for (const request of [{ key }, {}]) {
      const received = await gateway.send('GET', path, request);
      expect(received.status).toBe(404);
      expect(received.json.error).toMatchObject({ code: 'NOT_FOUND' });
      expect(received.json.error?.message).toContain(v1);
      expectDeprecation(received.headers, v1);
    }
  });

  test('and so it is the day after', async () => {
    clock.jumpWallClock(86_400_000);
    expect((await gateway.send('GET', '/api/plans', { key })).status).toBe(404);
  });
});
