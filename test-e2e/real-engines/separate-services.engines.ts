import OpenAI from 'openai';
import { createApi, toNano } from '../support/api';
import { eventually } from '../support/eventually';
import { type SeparateTollgate, startSeparate } from '../topologies/separate';

jest.setTimeout(180_000);

/** `npm test` runs without engines; the run that has them names them here. */
function requireEngine(name: string): string {
  const url = process.env[name];
  if (url === undefined || url === '') throw new Error(`${name} must name a running engine`);
  return url;
}

let tollgate: SeparateTollgate;

beforeAll(async () => {
  tollgate = await startSeparate({
    kafkaBrokers: requireEngine('TOLLGATE_TEST_KAFKA'),
    redisUrl: requireEngine('TOLLGATE_TEST_REDIS'),
  });
});

afterAll(async () => {
  const codes = await tollgate?.stop();
  expect(Object.entries(codes).filter(([, code]) => code !== 0)).toEqual([]);
});

async function operatorKey(): Promise<string> {
  const login = await createApi(tollgate.baseUrl, undefined).post('/v1/users/login', {
    email: tollgate.operatorEmail,
    password: tollgate.operatorPassword,
  });
  const session = createApi(tollgate.baseUrl, String(login.access_token));
  return String((await session.post('/v1/keys', { name: 'test' })).key);
}

test('separate processes on real Kafka and Redis complete, stream, charge and report', async () => {
  const apiKey = await operatorKey();
  const api = createApi(tollgate.baseUrl, apiKey);
  await eventually(
    () => api.get('/v1/billing/balance'),
    (balance) => toNano(balance.total_credits) > 0n,
  );
  const client = new OpenAI({ baseURL: `${tollgate.baseUrl}/v1`, apiKey, maxRetries: 0 });
  const messages = [{ role: 'user' as const, content: 'Hello' }];
  const answer = await client.chat.completions.create({ model: 'sim-small', messages });
  expect(answer.usage?.completion_tokens).toBeGreaterThan(0);
  const stream = await client.chat.completions.create({
    model: 'sim-small',
    messages,
    stream: true,
  });
  let text = '';
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
  expect(text).toContain('simulated');

  const balance = await eventually(
    () => api.get('/v1/billing/balance'),
    (state) => toNano(state.total_usage) > 0n && toNano(state.reserved) === 0n,
    90_000,
  );
  const stats = await eventually(
    () => api.get('/v1/stats'),
    (state) => (state.totals as { readonly requests: number }).requests === 2,
  );
  expect(toNano((stats.totals as { readonly spend: string }).spend)).toBe(
    toNano(balance.total_usage),
  );
});

test('doctor finds Kafka with its topics, Redis, and the product with its channel', async () => {
  const args = ['doctor', '--json', '--url', tollgate.baseUrl];
  const { code, output } = await tollgate.runCommand('gateway', args);
  expect(code).toBe(0);
  const { findings } = JSON.parse(output.slice(output.indexOf('{"ok"'))) as {
    readonly findings: readonly { readonly subject: string; readonly state: string }[];
  };
  const states = Object.fromEntries(findings.map(({ subject, state }) => [subject, state]));
  expect(states).toMatchObject({ settings: 'ok', Kafka: 'ok', Redis: 'ok', API: 'ok' });
});
