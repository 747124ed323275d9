import type { routingV1 } from '@tollgate/protos';
import { keyText } from '../../testing/fixtures';
import { type GatewayUnderTest, startGateway } from '../../testing/gateway-fixture';

const key = keyText(1);
let gateway: GatewayUnderTest;

const shared = ['chn_1', 'chn_2'].map((id) => ({
  id,
  name: `vendor ${id}`,
  type: 'CHANNEL_TYPE_OPENAI' as const,
  status: 'CHANNEL_STATUS_ENABLED' as const,
  models: [{ name: 'small-chat', upstreamName: 'up' }],
})) satisfies readonly routingV1.Channel[];

beforeAll(async () => {
  gateway = await startGateway();
  gateway.principals.set(key, { operator: true, scopes: ['admin'] });
  gateway.routing.handlers.listChannels = async ({ limit, selection }) =>
    selection === 'CHANNEL_SELECTION_SHARED'
      ? { channels: shared }
      : { channels: shared.slice(0, limit), nextCursor: 'next' };
  gateway.routing.handlers.getChannel = async ({ channelId }) => ({
    channel: shared.find(({ id }) => id === channelId) ?? null,
  });
  const p95ByChannel = { chn_1: 2_400, chn_2: 800 };
  const isPast = (end: string) => Date.parse(end) <= Date.now();
  gateway.stats.handlers.queryUsage = async ({ end }) => ({
    results: Object.entries(isPast(end) ? {} : p95ByChannel).map(([value, p95]) => ({
      group: [{ dimension: 'DIMENSION_CHANNEL' as const, value }],
      metrics: { requests: '20', latencyMs: { p50: 1, p95, p99: p95, count: '20' } },
    })),
  });
});
afterAll(() => gateway.stop());

test('a page compares its channels with all shared ones, as one channel alone does', async () => {
  const paceOf = async (path: string) => {
    const { status, json } = await gateway.send('GET', `/v1/admin/channels${path}`, { key });
    expect(status).toBe(200);
    const data = json.data as { pace: unknown; items: readonly { pace: unknown }[] };
    return data.items?.[0]?.pace ?? data.pace;
  };
  const listed = await paceOf('?limit=1');
  expect(listed).toMatchObject({ state: 'slow', compared_with: 'other_channel' });
  expect(listed).toEqual(await paceOf('/chn_1'));
});

test('a type and a status that only a newer routing knows keep nobody from reading the channel', async () => {
  const newer = { ...shared[0], id: 'chn_newer', type: 99, status: 99 } as never;
  const { getChannel = async () => ({}) } = gateway.routing.handlers;
  gateway.routing.handlers.getChannel = async () => ({ channel: newer });
  const { status, json } = await gateway.send('GET', '/v1/admin/channels/chn_newer', { key });
  gateway.routing.handlers.getChannel = getChannel;
  expect(status).toBe(200);
  expect(json.data).toMatchObject({ id: 'chn_newer', type: '99', status: 'disabled' });
});
