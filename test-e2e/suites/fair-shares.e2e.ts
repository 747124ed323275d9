import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type KeyedAccount, openAccountWithKey } from '../support/accounts';
import { eventually } from '../support/eventually';
import { untilRouted } from '../support/vendors/simulator';
import { type RunningTollgate, startTollgate } from '../topologies/start-tollgate';

jest.setTimeout(120_000);

/** The model whose vendor takes requests and never answers, and another one of the same channel. */
const HANGS = 'model-that-hangs';
const ANSWERS = 'model-that-answers';
const CONNECTIONS = 4;

let vendor: Server;
let tollgate: RunningTollgate;
let accounts: readonly [heavy: KeyedAccount, second: KeyedAccount, third: KeyedAccount];
let hanging = 0;

beforeAll(async () => {
  vendor = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { model } = JSON.parse(Buffer.concat(parts).toString()) as { readonly model: string };
      if (model === HANGS) {
        hanging += 1;
        return;
      }
      const message = { role: 'assistant', content: 'Hello' };
      const choices = [{ index: 0, message, finish_reason: 'stop' }];
      const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ choices, usage }));
    });
  });
  vendor.listen(0, '127.0.0.1');
  await once(vendor, 'listening');
  const host = `127.0.0.1:${(vendor.address() as AddressInfo).port}`;
  tollgate = await startTollgate({
    TOLLGATE_EGRESS_ALLOWED_HOSTS: host,
    TOLLGATE_COMPLETION_CONNECTIONS_PER_CHANNEL_MAX: String(CONNECTIONS),
    TOLLGATE_COMPLETION_CONNECT_TIMEOUT_MS: '2000',
    TOLLGATE_GATEWAY_STREAM_HEAD_WAIT_MS: '30000',
  });
  const { api } = tollgate;
  for (const name of [HANGS, ANSWERS]) {
    const pricing = { prompt: '1.00', completion: '1.00' };
    const sizes = { context_length: 1000, max_completion_tokens: 100 };
    await api.post('/v1/admin/models', { name, ...sizes, pricing });
  }
  await api.post('/v1/admin/channels', {
    name: 'shared',
    type: 'openai',
    base_url: `http://${host}/v1`,
    credential: 'the-vendor-credential',
    models: [{ name: HANGS }, { name: ANSWERS }],
  });
  const open = (name: string) => openAccountWithKey(api, { name, credit: '10.00' });
  accounts = await Promise.all([open('heavy'), open('second'), open('third')]);
  await Promise.all([HANGS, ANSWERS].map((name) => untilRouted(api, name)));
});

afterAll(async () => {
  const stopping = tollgate?.stop();
  vendor?.closeAllConnections();
  vendor?.close();
  expect(await stopping).toBe(0);
});

const bodyOf = (model: string, stream = false) => ({
  model,
  stream,
  max_tokens: 1,
  messages: [{ role: 'user', content: 'Hello' }],
});

test('two accounts whose requests hang leave the other models of their channel to a third', async () => {
  const [heavy, second, third] = accounts;
  const hung = [heavy, second].flatMap((account) =>
    Array.from({ length: CONNECTIONS }, () =>
      account.api.request('POST', '/v1/chat/completions', { body: bodyOf(HANGS) }),
    ),
  );
  // One has two of the four connections, and the other one of the two that are left.
  await eventually(
    async () => hanging,
    (count) => count >= 3,
  );
  const ask = (stream: boolean, account = third) =>
    account.api.request('POST', '/v1/chat/completions', { body: bodyOf(ANSWERS, stream) });
  expect((await ask(false)).status).toBe(200);
  // Who has no share is told by the status, also of a stream, whose head does not come before.
  const refused = await ask(true, heavy);
  expect([refused.status, refused.body?.error?.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(hanging).toBe(3);
  vendor.closeAllConnections();
  await Promise.all(hung);
});
