import OpenAI from 'openai';
import { createApi, toNano } from '../support/api';
import { eventually } from '../support/eventually';
import { createAuthority } from '../support/network/certificates';
import { isInstalled } from '../support/run-command';
import { makeDirectory } from '../support/temporary-directory';
import { SERVICES } from '../topologies/instances';
import { requireEngine, type SeparateTollgate, startSeparate } from '../topologies/separate';

jest.setTimeout(180_000);

/** Until figures have come through Kafka, which may have to form a group again, milliseconds. */
const SETTLING_MS = 90_000;

let tollgate: SeparateTollgate;
const directory = makeDirectory();
/** Elsewhere service calls go in clear: here, where certificates can be made, they never do. */
const isSecured = isInstalled('openssl');

/** A certificate for each service, whose common name says which it is. */
async function issueCertificates() {
  const authority = await createAuthority(directory.path);
  const environments = await Promise.all(
    SERVICES.map(async (service) => {
      const { certFile, keyFile } = await authority.issue(service);
      const environment = {
        TOLLGATE_RPC_PLAINTEXT: 'false',
        TOLLGATE_TLS_CA_FILE: authority.caFile,
        TOLLGATE_TLS_CERT_FILE: certFile,
        TOLLGATE_TLS_KEY_FILE: keyFile,
      };
      return [service, environment] as const;
    }),
  );
  return Object.fromEntries(environments);
}

beforeAll(async () => {
  const engines = {
    kafkaBrokers: requireEngine('TOLLGATE_TEST_KAFKA'),
    redisUrl: requireEngine('TOLLGATE_TEST_REDIS'),
  };
  const environments = isSecured ? await issueCertificates() : {};
  tollgate = await startSeparate(engines, {}, { environments });
});

afterAll(async () => {
  const codes = await tollgate?.stop();
  directory.remove();
  expect(Object.entries(codes ?? {}).filter(([, code]) => code !== 0)).toEqual([]);
});

async function operatorKey(): Promise<string> {
  const login = await createApi(tollgate.baseUrl, undefined).post('/v1/users/login', {
    email: tollgate.operatorEmail,
    password: tollgate.operatorPassword,
  });
  const session = createApi(tollgate.baseUrl, String(login.access_token));
  return String((await session.post('/v1/keys', { name: 'test' })).key);
}

const how = isSecured ? 'that call each other by mutual TLS' : '(in clear: openssl is missing)';

test(`separate processes ${how} on real Kafka and Redis complete, stream, charge and report`, async () => {
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
    SETTLING_MS,
  );
  const stats = await eventually(
    () => api.get('/v1/stats'),
    (state) => (state.totals as { readonly requests: number }).requests === 2,
    SETTLING_MS,
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
