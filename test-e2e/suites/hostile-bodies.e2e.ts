import { openAccount } from '../support/accounts';
import { eventually } from '../support/eventually';
import { connectRaw, type RawConnection } from '../support/network/raw-http';
import { readGauge } from '../support/running-process';
import { type RunningTollgate, startTollgate } from '../topologies/start-tollgate';

jest.setTimeout(120_000);

const MEBIBYTE = 1024 * 1024;
const BUDGET = 16 * MEBIBYTE;
const ANNOUNCED = 9 * MEBIBYTE;
const SENT = 5 * MEBIBYTE;
const GAUGE = 'tollgate_gateway_body_bytes';

let tollgate: RunningTollgate;
let open: RawConnection[] = [];

beforeAll(async () => {
  tollgate = await startTollgate({
    // The admin port is told in a line of this level.
    LOG_LEVEL: 'info',
    TOLLGATE_INIT_PLAN: 'enterprise',
    TOLLGATE_GATEWAY_BODY_BYTES_MAX: String(BUDGET),
  });
});

afterAll(async () => {
  expect(await tollgate?.stop()).toBe(0);
});

afterEach(async () => {
  for (const connection of open) connection.close();
  open = [];
  await eventually(heldBytes, (bytes) => bytes === 0);
  expect(tollgate.process.output()).not.toMatch(/"level":"error"|INTERNAL_ERROR/);
});

const heldBytes = () => readGauge(tollgate.process, GAUGE);

/** Announces a body, sends a part of it, and waits. */
async function sendHalf(
  apiKey: string,
  bytes: number,
  path = '/v1/chat/completions',
): Promise<RawConnection> {
  const connection = await connectRaw(tollgate.baseUrl);
  open.push(connection);
  connection.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
      `Authorization: Bearer ${apiKey}\r\nContent-Length: ${ANNOUNCED}\r\n\r\n`,
  );
  connection.write(Buffer.alloc(bytes, ' '));
  return connection;
}

async function openPoorAccount(): Promise<{ readonly apiKey: string }> {
  const { owner } = await openAccount(tollgate.api, { plan: 'free' });
  const { key } = await owner.api.post('/v1/keys', { name: 'poor' });
  return { apiKey: String(key) };
}

test.each(['/v1/chat/completions', '/v1/llm/route/explain'])(
  'an account that holds its share on %s is refused with 503, and another one goes on',
  async (path) => {
    const { apiKey } = await openPoorAccount();
    await sendHalf(tollgate.apiKey, SENT, path);
    await eventually(heldBytes, (bytes) => bytes === SENT);
    const [refused] = await (await sendHalf(tollgate.apiKey, SENT, path)).answers();
    expect([refused?.status, refused?.body?.error?.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(refused?.headers.get('retry-after')).toBe('2');
    expect(await heldBytes()).toBe(SENT);
    await sendHalf(apiKey, SENT);
    await eventually(heldBytes, (bytes) => bytes === 2 * SENT);
    for (const connection of open) connection.close();
    await eventually(heldBytes, (bytes) => bytes === 0);
    const messages = [{ role: 'user', content: 'x'.repeat(100_000) }];
    const good = await tollgate.api.request('POST', '/v1/chat/completions', {
      body: { model: 'sim-small', messages, max_tokens: 1 },
    });
    expect(good.status).toBe(200);
  },
);

test('a free account without money holds as many bodies as it may have requests in flight', async () => {
  const { apiKey } = await openPoorAccount();
  const halves: RawConnection[] = [];
  for (let index = 0; index < 5; index += 1) halves.push(await sendHalf(apiKey, MEBIBYTE));
  await eventually(heldBytes, (bytes) => bytes === 5 * MEBIBYTE);
  const beyond = await Promise.all(Array.from({ length: 20 }, () => sendHalf(apiKey, MEBIBYTE)));
  for (const each of beyond) {
    const [answer] = await each.answers();
    expect([answer?.status, answer?.body?.error?.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
  }
  expect(await heldBytes()).toBe(5 * MEBIBYTE);
});

test('what the headers tell is refused before the body comes', async () => {
  const unknown = await (await sendHalf('tg_live_nobody', 1)).answers();
  expect(unknown.map(({ status }) => status)).toEqual([401]);
  expect(await heldBytes()).toBe(0);
});
