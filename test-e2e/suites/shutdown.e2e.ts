import { toNano } from '../support/api';
import { eventually } from '../support/eventually';
import { findQuietPort } from '../support/network/free-port';
import { fetchDocumented } from '../support/openapi/documented-answers';
import { makeDirectory } from '../support/temporary-directory';
import { directive } from '../support/vendors/simulator';
import { type RunningTollgate, startMain, startTollgate } from '../topologies/start-tollgate';

jest.setTimeout(120_000);

const MODEL = 'sim-small';

let tollgate: RunningTollgate;

afterEach(() => tollgate?.stop());

function post(content: string, stream: boolean): Promise<Response> {
  return fetchDocumented(`${tollgate.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${tollgate.apiKey}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ model: MODEL, stream, messages: [{ role: 'user', content }] }),
  });
}

/** Ends the process in order and answers its exit code; data stays. */
async function terminate(): Promise<number | string> {
  tollgate.process.signal('SIGTERM');
  return tollgate.process.exited;
}

test('a stop lets an open stream finish, settles it, and exits with 0', async () => {
  tollgate = await startTollgate();
  const stream = await post(directive({ tokens: 60, token_interval_ms: 20 }), true);
  const text = stream.text();
  const code = await terminate();
  expect(await text).toContain('data: [DONE]');
  expect(code).toBe(0);
  await tollgate.restart();
  const balance = await tollgate.api.get('/v1/billing/balance');
  expect(toNano(balance.total_usage)).toBeGreaterThan(0n);
  expect(toNano(balance.reserved)).toBe(0n);
});

test('what does not end in time is cut with an error, charged for what was delivered, exit 0', async () => {
  tollgate = await startTollgate({ TOLLGATE_GATEWAY_DRAIN_ANSWERS_MS: '300' });
  const hanging = post(directive({ latency_ms: 600_000 }), false);
  const endless = await post(directive({ tokens: 9000, token_interval_ms: 20 }), true);
  const reader = endless.body?.getReader();
  await reader?.read();
  const code = await terminate();
  expect((await hanging).status).toBe(503);
  let text = '';
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    text += Buffer.from(part.value).toString('utf8');
  }
  expect(text).toContain('"code":"SERVICE_UNAVAILABLE"');
  expect(text).not.toContain('[DONE]');
  expect(code).toBe(0);
  await tollgate.restart();
  const { items } = await eventually(
    async () => (await tollgate.api.get('/v1/billing/ledger')) as { items: { source: string }[] },
    (page) => page.items.length >= 3,
  );
  expect(items.map((item) => item.source)).toEqual(expect.arrayContaining(['partial', 'none']));
  expect(await tollgate.api.get('/v1/admin/audit?fresh=true')).toMatchObject({ ok: true });
});

test('whoever reads the log may go away: the service starts, serves and stops in order', async () => {
  const directory = makeDirectory();
  const port = await findQuietPort();
  const running = startMain(directory.path, {
    TOLLGATE_HTTP_PORT: String(port),
    LOG_LEVEL: 'info',
  });
  await running.waitForOutput(/\n/, 60_000);
  running.closeOutput();
  const askForModels = () =>
    fetch(`http://127.0.0.1:${port}/v1/models`).then(
      ({ status }) => status,
      () => undefined,
    );
  await eventually(askForModels, (status) => status === 401);
  running.signal('SIGTERM');
  expect(await running.exited).toBe(0);
  directory.remove();
});
