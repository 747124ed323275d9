import { signIn } from '../support/accounts';
import { type Api, type ApiAnswer, createApi } from '../support/api';
import { type OidcProvider, startOidcProvider } from '../support/oidc-provider';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver';
import { type RunningTollgate, startTollgate } from '../topologies/start-tollgate';

jest.setTimeout(120_000);

const SUNSET = '2026-06-01';
const LATER = '2999-06-01';

/** One path from before v1: what follows it there and here, and whose bearer it takes. */
interface LegacyPath {
  readonly method: string;
  readonly path: string;
  /** As the headers name it. */
  readonly v1: string;
  readonly as?: 'session' | 'anyone';
  readonly query?: string;
  readonly status?: 201;
  readonly body?: (names: { readonly receiver: string; readonly vendor: string }) => unknown;
  /** Made first at the v1 path, and put in place of {id}. */
  readonly of?: 'channel';
}

const channelBody = ({ vendor }: { readonly vendor: string }) => ({
  name: 'legacy',
  type: 'simulator',
  base_url: vendor,
  models: [{ name: 'sim-small' }],
  status: 'disabled',
});

const PATHS: readonly LegacyPath[] = [
  { method: 'GET', path: '/api/keys-v2', v1: '/v1/keys', query: 'limit=1' },
  {
    method: 'POST',
    path: '/api/keys-v2',
    v1: '/v1/keys',
    status: 201,
    body: () => ({ name: 'legacy' }),
  },
  { method: 'GET', path: '/api/channels', v1: '/v1/admin/channels' },
  {
    method: 'POST',
    path: '/api/channels',
    v1: '/v1/admin/channels',
    status: 201,
    body: channelBody,
  },
  {
    method: 'PUT',
    path: '/api/channels/{id}',
    v1: '/v1/admin/channels/{id}',
    of: 'channel',
    body: () => ({ weight: 2 }),
  },
  {
    method: 'POST',
    path: '/api/channels/{id}/health',
    v1: '/v1/admin/channels/{id}/health',
    of: 'channel',
    body: () => ({}),
  },
  {
    method: 'DELETE',
    path: '/api/channels/{id}',
    v1: '/v1/admin/channels/{id}',
    of: 'channel',
  },
  { method: 'GET', path: '/api/balance', v1: '/v1/billing/balance' },
  { method: 'GET', path: '/api/plans', v1: '/v1/billing/plans' },
  { method: 'GET', path: '/api/stats', v1: '/v1/stats' },
  {
    method: 'GET',
    path: '/api/oauth/login',
    v1: '/v1/oauth/login',
    as: 'anyone',
    query: 'provider=company',
  },
  { method: 'GET', path: '/api/webhooks', v1: '/v1/webhooks' },
  {
    method: 'POST',
    path: '/api/webhooks',
    v1: '/v1/webhooks',
    status: 201,
    body: ({ receiver }) => ({ url: receiver, events: ['key.created'] }),
  },
  { method: 'GET', path: '/api/me', v1: '/v1/users/me', as: 'session' },
];
const named = PATHS.map((each) => [`${each.method} ${each.path}`, each] as const);

let receiver: WebhookReceiver;
let provider: OidcProvider;
let before: RunningTollgate;
let after: RunningTollgate;

beforeAll(async () => {
  [receiver, provider] = await Promise.all([startWebhookReceiver(), startOidcProvider()]);
  const environment = {
    TOLLGATE_OAUTH_PROVIDERS: JSON.stringify([provider.settings]),
    TOLLGATE_EGRESS_ALLOWED_HOSTS: provider.host,
    TOLLGATE_WEBHOOK_ALLOWED_HOSTS: receiver.host,
  };
  [before, after] = await Promise.all([
    startTollgate({ ...environment, TOLLGATE_LEGACY_SUNSET: LATER }),
    startTollgate(environment),
  ]);
});

afterAll(async () => {
  expect(await Promise.all([before?.stop(), after?.stop()])).toEqual([0, 0]);
  await Promise.all([receiver?.stop(), provider?.stop()]);
});

async function callerOf(tollgate: RunningTollgate, as: LegacyPath['as']): Promise<Api> {
  if (as === 'anyone') return createApi(tollgate.baseUrl, undefined);
  if (as === undefined) return tollgate.api;
  const { baseUrl, operatorEmail, operatorPassword } = tollgate;
  return (await signIn(baseUrl, operatorEmail, operatorPassword)).api;
}

async function ask(tollgate: RunningTollgate, legacy: LegacyPath): Promise<ApiAnswer> {
  const { items } = (await tollgate.api.get('/v1/admin/channels')) as {
    readonly items: readonly { readonly base_url: string }[];
  };
  const names = { receiver: receiver.url('/legacy'), vendor: items[0]?.base_url ?? '' };
  const id =
    legacy.of === undefined
      ? ''
      : String((await tollgate.api.post('/v1/admin/channels', channelBody(names))).id);
  const query = legacy.query === undefined ? '' : `?${legacy.query}`;
  const caller = await callerOf(tollgate, legacy.as);
  return caller.request(legacy.method, legacy.path.replace('{id}', id) + query, {
    body: legacy.body?.(names),
  });
}

/** What every answer of a path from before v1 says about its end. */
function expectLegacyHeaders({ headers }: ApiAnswer, v1: string, sunset: string): void {
  expect(headers.get('x-deprecated')).toBe('true');
  expect(headers.get('x-deprecated-message')).toContain('deprecated');
  expect(headers.get('x-deprecated-message')).toContain(v1);
  expect(headers.get('x-sunset-date')).toBe(sunset);
  expect(headers.get('deprecation')).toMatch(/^@\d{10}$/);
  expect(Date.parse(headers.get('sunset') ?? '')).toBe(Date.parse(`${sunset}T00:00:00Z`));
  expect(headers.get('link')).toBe(`<${v1}>; rel="successor-version"`);
  expect(headers.get('x-api-version')).toBeNull();
  expect(headers.get('x-request-id')).toMatch(/^req_/);
}

describe('before their end', () => {
  test.each(named)('%s answers the bare payload of its successor', async (_name, legacy) => {
    const answer = await ask(before, legacy);
    expect([answer.status, answer.body?.error?.code]).toEqual([legacy.status ?? 200, undefined]);
    expectLegacyHeaders(answer, legacy.v1, LATER);
    expect(answer.body).not.toHaveProperty('success');
    expect(answer.body).not.toHaveProperty('data');
    expect(Object.keys(answer.body ?? {}).length).toBeGreaterThan(1);
  });

  test.each(['/api/balance', '/api/plans', '/api/channels'])(
    '%s answers byte for byte what v1 has in its envelope',
    async (path) => {
      const v1 = PATHS.find((each) => each.path === path)?.v1 ?? '';
      const legacy = await before.api.request('GET', path);
      const enveloped = await before.api.request('GET', v1);
      expect(enveloped.text).toBe(
        `{"success":true,"data":${legacy.text},"error":null,"message":null}`,
      );
    },
  );

  test('a login that was begun at the old path ends at the old callback', async () => {
    const { operatorEmail: email } = before;
    await provider.becomes({ sub: 'o', email, email_verified: true, name: 'Operator' });
    const anyone = createApi(before.baseUrl, undefined);
    const begun = await anyone.request('GET', '/api/oauth/login?provider=company');
    const { authorization_url } = JSON.parse(begun.text) as { authorization_url: string };
    const back = await provider.signIn(authorization_url);
    const ended = await anyone.request('GET', `/api/oauth/callback${back.search}`);
    expect(ended.status).toBe(200);
    expectLegacyHeaders(ended, '/v1/oauth/callback', LATER);
    expect(JSON.parse(ended.text)).toMatchObject({ token_type: 'Bearer', user: { email } });
  });

  test('refusals have the one body of every failure, and the headers', async () => {
    const anyone = createApi(before.baseUrl, undefined);
    const refused = await anyone.request('GET', '/api/balance');
    expect([refused.status, refused.body?.error?.code]).toEqual([401, 'UNAUTHORIZED']);
    expect(refused.body).toMatchObject({ success: false, data: null, message: null });
    expectLegacyHeaders(refused, '/v1/billing/balance', LATER);
    const wrong = await before.api.request('DELETE', '/api/balance');
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expectLegacyHeaders(wrong, '/v1/billing/balance', LATER);
    const unknown = await before.api.request('GET', '/api/nothing');
    expect([unknown.status, unknown.headers.get('x-deprecated')]).toEqual([404, null]);
  });
});

describe('from the day of their end on, as a default start finds them', () => {
  const ended: readonly (readonly [string, LegacyPath])[] = [
    ...named,
    [
      'GET /api/oauth/callback',
      { method: 'GET', path: '/api/oauth/callback', v1: '/v1/oauth/callback', as: 'anyone' },
    ],
  ];

  test.each(ended)('%s is 404 and names its successor', async (_name, legacy) => {
    const answer = await ask(after, legacy);
    expect([answer.status, answer.body?.error?.code]).toEqual([404, 'NOT_FOUND']);
    expect(answer.body).toMatchObject({ success: false, data: null, message: null });
    expect(answer.body?.error?.message).toContain(legacy.v1);
    expect(answer.body?.error?.message).toContain(SUNSET);
    expectLegacyHeaders(answer, legacy.v1, SUNSET);
  });

  test('is 404 before anything is asked of the caller', async () => {
    const anyone = createApi(after.baseUrl, undefined);
    expect((await anyone.request('GET', '/api/balance')).status).toBe(404);
    expect((await anyone.request('DELETE', '/api/balance')).status).toBe(404);
  });

  test('v1 paths carry none of those headers', async () => {
    const { headers } = await after.api.request('GET', '/v1/billing/balance');
    const names = ['x-deprecated', 'x-deprecated-message', 'x-sunset-date', 'sunset', 'link'];
    for (const name of names) expect(headers.get(name)).toBeNull();
  });
});
