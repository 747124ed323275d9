import { keyText, refusing } from '../../testing/fixtures';
import { type GatewayUnderTest, startGateway } from '../../testing/gateway-fixture';

const key = keyText(1);
let gateway: GatewayUnderTest;

beforeAll(async () => {
  gateway = await startGateway();
  gateway.principals.set(key, { operator: true, scopes: ['admin'] });
  gateway.routing.handlers.getChannel = async ({ channelId }) => ({
    channel: {
      id: channelId,
      name: 'first',
      type: 'CHANNEL_TYPE_OPENAI',
      status: 'CHANNEL_STATUS_ENABLED',
      timeouts: {
        connectMs: 0,
        headMs: 900,
        wholeHeadMs: 0,
        firstTokenMs: 0,
        idleMs: 0,
        totalMs: 0,
      },
      models: [{ name: 'small-chat', upstreamName: 'up' }],
    },
  });
  gateway.routing.handlers.listChannels = async () => ({ channels: [] });
});
afterAll(() => gateway.stop());

async function show() {
  const path = '/v1/admin/channels/chn_1';
  const { status, json } = await gateway.send('GET', path, { key });
  expect(status).toBe(200);
  return json.data as Readonly<Record<string, unknown>>;
}

test('one channel says how fast it is, and which time-outs hold: its own or the default', async () => {
  gateway.stats.handlers.queryUsage = async () => ({ results: [] });
  gateway.completion.handlers.getDefaultTimeouts = async () => ({
    connectMs: 5_000,
    headMs: 60_000,
    wholeHeadMs: 180_000,
    firstTokenMs: 60_000,
    idleMs: 60_000,
    totalMs: 600_000,
  });
  expect(await show()).toMatchObject({
    pace: { state: 'unknown', in_words: expect.stringMatching(/^Too few answers/) as string },
    timeouts: { connect_ms: 0, head_ms: 900 },
    timeouts_in_force: {
      connect_ms: { ms: 5_000, source: 'default' },
      head_ms: { ms: 900, source: 'set' },
      whole_head_ms: { ms: 180_000, source: 'default' },
      total_ms: { ms: 600_000, source: 'default' },
    },
  });
});

test('a channel is shown while statistics and completion are away, which then tell nothing', async () => {
  const away = refusing('SERVICE_UNAVAILABLE');
  gateway.stats.handlers.queryUsage = away;
  gateway.completion.handlers.getDefaultTimeouts = away;
  expect(await show()).toMatchObject({
    pace: null,
    timeouts_in_force: {
      connect_ms: { ms: null, source: 'default' },
      head_ms: { ms: 900, source: 'set' },
    },
  });
});

test('one channel that a person disabled says who did it, and when', async () => {
  gateway.stats.handlers.queryUsage = async () => ({ results: [] });
  expect((await show()).switched_off).toBeNull();
  gateway.routing.handlers.getChannel = async ({ channelId }) => ({
    channel: { id: channelId, name: 'first', status: 'CHANNEL_STATUS_DISABLED' },
  });
  const at = '2026-10-02T10:00:00.000Z';
  const entry = {
    id: 'aud_1',
    at,
    operation: 'PATCH /v1/admin/channels/{id}',
    outcome: 'AUDIT_OUTCOME_SUCCEEDED',
    actorUserId: 'usr_1',
    requestJson: '{"status":"disabled"}',
  } as const;
  gateway.identity.handlers.listAuditEntries = async ({ resourceId }) => ({
    entries: resourceId === 'chn_1' ? [entry] : [],
  });
  gateway.identity.handlers.getAuditEntry = async () => ({ entry });
  gateway.identity.handlers.getUser = async () => ({ user: { id: 'usr_1', email: 'a@acme.test' } });
  expect(await show()).toMatchObject({
    status: 'disabled',
    switched_off: {
      at,
      by: 'a@acme.test',
      change: 'disabled',
      audit_entry_id: 'aud_1',
      on_again: null,
    },
  });
});
