import { AppError, createSystemClock, toIsoTime } from '@tollgate/core';
import { keyText, model, refusing } from '../../testing/fixtures';
import { type GatewayUnderTest, startGateway } from '../../testing/gateway-fixture';

const key = keyText(1);
let gateway: GatewayUnderTest;

beforeEach(async () => {
  gateway = await startGateway();
  gateway.principals.set(key, { operator: true, scopes: ['admin'] });
  const checkedAt = toIsoTime(createSystemClock().now());
  gateway.billing.handlers.audit = async () => ({ ok: true, checkedAt });
  gateway.stats.handlers.queryUsage = async () => ({ results: [], totals: {} });
  gateway.webhook.handlers.listAutoDisabledEndpoints = async () => ({ endpoints: [] });
  gateway.identity.handlers.listAccounts = async () => ({ accounts: [] });
  listShared(async () => ({ channels: [channel('ch_1')] }));
});
afterEach(() => gateway.stop());

const channel = (id: string, name = model().name ?? '') => ({
  id,
  name: id,
  status: 'CHANNEL_STATUS_ENABLED' as const,
  models: [{ name, upstreamName: name }],
});

type ListChannels = GatewayUnderTest['routing']['handlers']['listChannels'];

/** No customer's channel was disabled automatically. */
function listShared(list: NonNullable<ListChannels>): void {
  gateway.routing.handlers.listChannels = async (request, call) =>
    request.selection === 'CHANNEL_SELECTION_SHARED' ? list(request, call) : { channels: [] };
}

interface Told {
  readonly rule: string;
  readonly title: string;
}

async function alerts(): Promise<readonly Told[]> {
  const { status, json } = await gateway.send('GET', '/v1/admin/alerts', { key });
  expect(status).toBe(200);
  return json.data?.items as readonly Told[];
}

test('a deployment in which nothing is wrong has an empty list', async () => {
  expect(await alerts()).toEqual([]);
});

test('every page of the channels is looked at', async () => {
  let pages = 0;
  listShared(async () => {
    pages += 1;
    return pages < 9
      ? { channels: [channel(`ch_${pages}`, 'another')], nextCursor: `ch_${pages}` }
      : { channels: [{ ...channel('ch_9'), status: 'CHANNEL_STATUS_AUTO_DISABLED' }] };
  });
  expect((await alerts()).map(({ rule }) => rule)).toEqual([
    'channel_disabled',
    'model_not_served',
  ]);
});

test('a service that fails is told, and the others are asked all the same', async () => {
  gateway.billing.handlers.audit = refusing('SERVICE_UNAVAILABLE');
  listShared(async () => ({ channels: [] }));
  expect((await alerts()).map(({ rule }) => rule)).toEqual([
    'service_silent',
    'nothing_served',
    'model_without_channel',
  ]);
});

test('a deployment that serves accounts with channels of their own is not one that serves nothing', async () => {
  gateway.routing.handlers.listChannels = async ({ selection }) => ({
    channels:
      selection === 'CHANNEL_SELECTION_UNSPECIFIED'
        ? [{ ...channel('ch_1'), ownerAccountId: 'acc_7' }]
        : [],
  });
  expect((await alerts()).map(({ rule }) => rule)).toEqual(['model_without_channel']);
});

test('where every channel was disabled by hand, the list says who did it, and when', async () => {
  const status = 'CHANNEL_STATUS_DISABLED' as const;
  listShared(async () => ({ channels: [{ ...channel('ch_1'), status }] }));
  const at = '2026-02-03T09:00:00.000Z';
  const entry = {
    id: 'aud_1',
    at,
    operation: 'PATCH /v1/admin/channels/{id}',
    outcome: 'AUDIT_OUTCOME_SUCCEEDED' as const,
    requestJson: '{"status":"disabled"}',
    actorUserId: 'usr_1',
  };
  gateway.identity.handlers.listAuditEntries = async () => ({ entries: [entry] });
  gateway.identity.handlers.getAuditEntry = async () => ({ entry });
  gateway.identity.handlers.getUser = async () => ({ user: { email: 'ann@acme.test' } });
  expect((await alerts())[0]).toMatchObject({
    rule: 'nothing_served',
    subject: { type: 'channel', id: 'ch_1' },
    detail: `All were disabled by hand: ch_1 ${at} by ann@acme.test.`,
  });
});

test('statistics that are too much to add up in time are not told as silence', async () => {
  gateway.stats.handlers.queryUsage = async () => {
    throw new AppError('VALIDATION_ERROR', { publicMessage: 'The range holds too much.' });
  };
  expect(await alerts()).toMatchObject([
    {
      rule: 'service_silent',
      severity: 'critical',
      title: 'Stats answers, but not what alerts ask',
      detail: 'The range holds too much.',
    },
  ]);
});

test('webhooks that disabled automatically are told to be more than are named', async () => {
  const endpoints = Array.from({ length: 60 }, (_, index) => ({
    id: `whk_${index}`,
    accountId: 'acc_7',
    url: 'https://receiver.example/hook',
  }));
  gateway.webhook.handlers.listAutoDisabledEndpoints = async ({ limit }) => ({
    endpoints: endpoints.slice(0, limit),
  });
  const told = await alerts();
  expect(told).toHaveLength(51);
  expect(
    told.filter(({ title }) => title === 'More than 50 webhooks disabled automatically'),
  ).toEqual([expect.objectContaining({ rule: 'webhook_disabled', id: 'webhook_disabled' })]);
});

test('an account goes by its name, and by its id while identity does not say it', async () => {
  const endpoint = { id: 'whk_1', accountId: 'acc_7', url: 'https://receiver.example/hook' };
  gateway.webhook.handlers.listAutoDisabledEndpoints = async () => ({ endpoints: [endpoint] });
  gateway.identity.handlers.getAccount = async () => ({ account: { id: 'acc_7', name: 'Acme' } });
  expect(await alerts()).toMatchObject([{ title: 'A webhook of Acme was disabled automatically' }]);
  gateway.identity.handlers.getAccount = refusing('NOT_FOUND');
  expect(await alerts()).toMatchObject([
    { title: 'A webhook of acc_7 was disabled automatically' },
  ]);
});

test('no question grows with the number of accounts', async () => {
  const asked: unknown[] = [];
  gateway.stats.handlers.queryUsage = async ({ groupBy, worst }) => {
    asked.push({ groupBy, worst });
    return { results: [], totals: {} };
  };
  gateway.billing.handlers.audit = async ({ keptOnly }) => {
    asked.push({ keptOnly });
    throw new AppError('NOT_FOUND');
  };
  // Just started: the first audit is on its way.
  expect(await alerts()).toEqual([]);
  expect(asked).toContainEqual({ groupBy: ['DIMENSION_ACCOUNT'], worst: 200 });
  expect(asked).toContainEqual({ keptOnly: true });
});

test('an account that fails for its plan is named with it, and one on a plan that exists is not', async () => {
  const metrics = { requests: '3', failedRequests: '3' };
  const results = ['acc_7', 'acc_8'].map((value) => ({
    group: [{ dimension: 'DIMENSION_ACCOUNT' as const, value }],
    metrics,
  }));
  gateway.stats.handlers.queryUsage = async () => ({ results, totals: {} });
  gateway.identity.handlers.getAccount = async ({ accountId: id }) => ({
    account: {
      id,
      name: `Name of ${id}`,
      plan: id === 'acc_7' ? 'starter' : 'free',
      status: 'ACCOUNT_STATUS_ACTIVE',
    },
  });
  expect(await alerts()).toMatchObject([
    {
      rule: 'account_without_plan',
      severity: 'critical',
      subject: { type: 'account', id: 'acc_7' },
      title: 'Name of acc_7 is on the plan “starter”, which does not exist',
    },
  ]);
});
