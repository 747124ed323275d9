import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addMember, openAccountWithKey } from '../support/accounts';
import { type ApiData, createApi } from '../support/api';
import { eventually } from '../support/eventually';
import { fetchDocumented } from '../support/openapi/documented-answers';
import { CHAT } from '../support/openapi/openapi-fixture';
import { PRODUCT_MAIN, REPOSITORY } from '../support/repository';
import { startProcess } from '../support/running-process';
import { makeDirectory } from '../support/temporary-directory';
import { directive } from '../support/vendors/simulator';
import { type RunningTollgate, startMain, startTollgate } from '../topologies/start-tollgate';

jest.setTimeout(120_000);

const OLD_KEY = 'issued-before-v1-and-not-real';
const digestOf = (key: string) => createHash('sha256').update(key).digest('hex');

let tollgate: RunningTollgate;
let directory: ReturnType<typeof makeDirectory>;

beforeAll(async () => {
  directory = makeDirectory();
  tollgate = await startTollgate();
});

afterAll(async () => {
  directory?.remove();
  expect(await tollgate?.stop()).toBe(0);
});

async function command(args: readonly string[], environment: Record<string, string> = {}) {
  const running = startProcess(process.execPath, [PRODUCT_MAIN, ...args], {
    directory: REPOSITORY,
    environment: { TOLLGATE_DATA_DIR: tollgate.dataDirectory, ...environment },
  });
  const exitCode = await running.exited;
  return { exitCode, output: running.output() };
}

function linesFile(name: string, entries: readonly object[]): string {
  const path = join(directory.path, name);
  writeFileSync(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  return path;
}

const statusFor = async (key: string) =>
  (await createApi(tollgate.baseUrl, key).request('GET', '/v1/models')).status;

test('doctor finds the running product and its channel well', async () => {
  const told = { TOLLGATE_API_KEY: tollgate.apiKey };
  const doctor = await command(['doctor', '--url', tollgate.baseUrl], told);
  expect(doctor.exitCode).toBe(0);
  expect(doctor.output).toMatch(/^ok {7}API +answers at /m);
  expect(doctor.output).toMatch(/^ok {7}vendors +1 channel enabled, none failing$/m);
});

test('the audit finds the books of a running product in order, and says what it needs', async () => {
  const told = { TOLLGATE_API_KEY: tollgate.apiKey };
  const audit = await command(['audit', '--url', tollgate.baseUrl], told);
  expect(audit).toMatchObject({ exitCode: 0 });
  expect(audit.output).toContain('The books balance.');
  const keyless = await command(['audit', '--url', tollgate.baseUrl]);
  expect(keyless).toMatchObject({ exitCode: 1 });
  expect(keyless.output).toContain('TOLLGATE_API_KEY');
});

/** With the operator key, at the product under test. */
const operate = (...args: readonly string[]) =>
  command([...args, '--url', tollgate.baseUrl], { TOLLGATE_API_KEY: tollgate.apiKey });

async function json(...args: readonly string[]) {
  const { exitCode, output } = await operate(...args, '--json');
  return { exitCode, data: JSON.parse(output) as ApiData };
}

test('an operator sees and mends an account, a password and a request by a command each', async () => {
  const account = await openAccountWithKey(tollgate.api, { credit: '1.00' });
  const answer = await account.api.request('POST', '/v1/chat/completions', {
    body: CHAT,
    headers: { 'x-request-id': 'my-trace-1' },
  });
  const requestId = String(answer.headers.get('x-request-id'));
  await eventually(
    () => json('request', requestId),
    ({ data }) => data.id === requestId,
  );
  const ofAccount = await json(
    'request',
    'list',
    '--account',
    account.email,
    '--model',
    'sim-small',
  );
  expect(ofAccount.data).toMatchObject([{ id: requestId }]);
  expect((await json('request', 'list', '--account', account.id, '--failed')).data).toEqual([]);
  const listed = await operate('request', 'list', '--client-request-id', 'my-trace-1');
  expect(listed.output).toMatch(new RegExp(`^ID .*\\n${requestId} .* succeeded `));
  expect((await json('request', 'my-trace-1')).data).toMatchObject({ id: requestId });
  const story = await operate('request', requestId);
  expect(story.output).toMatch(/^in_short: succeeded: asked for sim-small, .*charged 0\.0/m);
  expect(story.output).toMatch(/^attempts: 1$/m);
  expect(story.output).toMatch(/^ {2}charged: 0\.0/m);
  const change = ['--amount', '-0.25', '--reason', 'a test', '--idempotency-key', 'once'];
  for (const _ of [1, 2]) {
    const adjusted = await json('account', 'adjust', account.id, ...change);
    expect(adjusted).toMatchObject({ exitCode: 0, data: { amount: '-0.25', note: 'a test' } });
  }
  for (const named of [account.id, account.email]) {
    const shown = await json('account', 'show', named);
    expect(shown.data).toMatchObject({ id: account.id, balance: { total_credits: '0.75' } });
    expect(shown.data).toMatchObject({ audit: { ok: true, drift: '0.00' } });
    expect(shown.data.in_short).toMatch(
      /^1\.00 credited - 0\.25 adjusted - 0\.0\d* used = 0\.7\d+, adds up; /,
    );
    expect(shown.data).toMatchObject({
      adjustments: [
        { kind: 'adjustment', note: 'a test', by: expect.stringContaining('@') as string },
      ],
      credits: [{ kind: 'credit' }],
    });
    expect(shown.data).not.toHaveProperty('balance.in_words');
  }
  const ledger = await operate('account', 'ledger', account.email, '--kind', 'adjustment');
  expect(ledger.output).toMatch(/^CREATED_AT .*\n\S+ +adjustment +-0\.25 .* a test$/m);
  expect((await json('alerts')).data).toEqual(expect.any(Array));
  const channels = await operate('channel', 'list');
  expect(channels.output).toMatch(/^chn_\w+ +simulator +simulator +enabled .*Too few answers/m);
  expect((await json('channel', 'disable', 'simulator')).data.status).toBe('disabled');
  expect((await json('channel', 'enable', 'simulator')).data.status).toBe('enabled');
  const simulator = await operate('channel', 'show', 'simulator');
  // The hour may have ended since the request.
  expect(simulator.output).toMatch(/^(this_hour|hour_before):\n {2}requests: \d/m);
  // By whatever name a person says.
  expect((await json('account', 'suspend', account.email)).data.status).toBe('suspended');
  expect((await json('account', 'resume', account.id)).data.status).toBe('active');
  const reset = await json('user', 'reset-password', account.email);
  expect(reset.data).toMatchObject({ account_id: account.id, use: expect.any(String) as string });
  // Who is disabled gets nowhere with a code: whoever makes it is told, with a key and without.
  const { email: disabled } = await addMember(account.session, 'member');
  expect((await json('user', 'disable', disabled)).data.status).toBe('disabled');
  const useless = {
    email: disabled,
    account_status: 'active',
    user_status: 'disabled',
    switched_off: { by: expect.stringContaining('@') as string },
    use: expect.stringMatching(/disabled since \S+ by \S+@.* user enable/) as string,
  };
  expect((await json('user', 'reset-password', disabled)).data).toMatchObject(useless);
  const inStore = await command(['user', 'reset-password', disabled, '--json']);
  expect(JSON.parse(inStore.output.slice(inStore.output.indexOf('{')))).toMatchObject(useless);
  expect((await json('user', 'enable', disabled)).data.status).toBe('active');
  // Who has lost the password may have lost the key as well: the data directory is enough.
  const keyless = await command(['user', 'reset-password', account.email, '--json']);
  const { code } = JSON.parse(keyless.output.slice(keyless.output.indexOf('{'))) as ApiData;
  const set = { code, new_password: 'the next password' };
  const changed = await createApi(tollgate.baseUrl, undefined).request(
    'POST',
    '/v1/users/reset-password',
    { body: set },
  );
  expect(changed.status).toBe(200);
  const log = `/v1/admin/audit-log?actor=system&resource_id=${reset.data.user_id}`;
  expect((await tollgate.api.get(log)).items).toMatchObject([
    { operation: 'tollgate user reset-password', outcome: 'succeeded' },
  ]);
  const refused = await operate('user', 'reset-password', 'nobody@accounts.test');
  expect(refused).toMatchObject({ exitCode: 1 });
  expect(refused.output).toContain('not done: there is no user of the email');
  const unknown = await operate('request', 'req_01J00000000000000000000009');
  expect(unknown.exitCode).toBe(1);
  expect(unknown.output).toContain('404 NOT_FOUND');
});

test('a mistyped email is guessed, and a code tells what became of it', async () => {
  const account = await openAccountWithKey(tollgate.api, { credit: '1.00' });
  // A slip in it is told with and without a key, and spaces around it are none.
  const slip = `x${account.email}`;
  for (const asked of [
    operate('user', 'disable', slip),
    command(['user', 'reset-password', slip]),
  ]) {
    expect((await asked).output.toLowerCase()).toContain(`did you mean ${account.email}?`);
  }
  const found = await operate('user', 'list', '--email', account.email.slice(0, -3));
  expect(found.output).toContain(account.email);
  const made = await tollgate.api.post('/v1/admin/codes', { amount: '5.00', count: 1 });
  const [{ id, code: text }] = made.codes as [{ id: string; code: string }];
  expect((await json('code', id)).data).toMatchObject({ id, status: 'unused' });
  await account.session.post('/v1/account/redeem', { code: text });
  const gone = await json('code', text.slice(-4).toLowerCase());
  expect(gone.data).toMatchObject({ id, ended_by: account.email });
  expect(gone.data.in_short).toContain(`any more: ${account.email} redeemed it `);
});

test('keys issued before v1 are imported while the product runs, and work at once', async () => {
  const old = { account: 'Old Customer', name: 'old key', digest: digestOf(OLD_KEY) };
  const file = linesFile('keys.jsonl', [old, { ...old, digest: 'none' }]);
  const first = await command(['keys', 'import', file]);
  expect(first.output).toContain('1 imported, 0 already there, 1 refused');
  expect(first.output).toContain('line 2: digest must be');
  expect(first.exitCode).toBe(1);
  expect(await statusFor(OLD_KEY)).toBe(200);
  const again = await command(['keys', 'import', linesFile('again.jsonl', [old])]);
  expect(again).toMatchObject({ exitCode: 0 });
  expect(again.output).toContain('0 imported, 1 already there, 0 refused');
});

test('an import of many keys into a stopped product holds after its start', async () => {
  const stopped = tollgate.process;
  stopped.signal('SIGTERM');
  await stopped.exited;
  const entries = Array.from({ length: 150 }, (_, index) => ({
    account: `Customer ${index % 7}`,
    name: `key ${index}`,
    digest: digestOf(`${OLD_KEY}-${index}`),
  }));
  const imported = await command(['keys', 'import', linesFile('many.jsonl', entries)]);
  expect(imported.output).toContain('150 imported, 0 already there, 0 refused');
  await tollgate.restart();
  expect(await statusFor(`${OLD_KEY}-149`)).toBe(200);
  expect(await statusFor(`${OLD_KEY}-150`)).toBe(401);
});

test('a request that runs is told with what it holds, by its account, its id and its own name', async () => {
  const account = await openAccountWithKey(tollgate.api, { credit: '1.00' });
  const client = new AbortController();
  const endless = directive({ tokens: 9000, token_interval_ms: 100 });
  const stream = await fetchDocumented(`${tollgate.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    signal: client.signal,
    headers: {
      authorization: `Bearer ${account.apiKey}`,
      'content-type': 'application/json',
      'x-request-id': 'my-own-77',
    },
    body: JSON.stringify({
      model: 'sim-small',
      stream: true,
      messages: [{ role: 'user', content: endless }],
    }),
  });
  const id = String(stream.headers.get('x-request-id'));
  const { data } = await json('account', 'show', account.id);
  expect(data).toMatchObject({
    running: { count: 1, items: [{ id, client_request_id: 'my-own-77', attempts: 1 }], silent: [] },
  });
  expect(data.in_short).toMatch(
    new RegExp(`by 1 running request: ${id} \\(sim-small at "simulator", for \\d+ s\\)`),
  );
  const running = await operate('request', 'list', '--running', '--account', account.id);
  expect(running.output).toMatch(new RegExp(`^${id} .* running +- +sim-small +\\d+ +-$`, 'm'));
  for (const name of [id, 'my-own-77']) {
    const told = await operate('request', name);
    expect(told.output).toMatch(
      / has not ended: it runs since .*; sim-small at "simulator" is ask/,
    );
  }
  client.abort();
  await eventually(
    () => json('request', 'my-own-77'),
    (story) => story.data.id === id && story.data.end_reason === 'client_gone',
  );
  const ended = await operate('request', 'list', '--account', account.id);
  expect(ended.output).toMatch(new RegExp(`^${id} .* failed +client_gone `, 'm'));
});

test('a request with a wrong base address is told with the right one, and whose key came with it', async () => {
  const account = await openAccountWithKey(tollgate.api, { credit: '1.00' });
  const answer = await fetch(`${tollgate.baseUrl}/v1/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(CHAT),
  });
  expect(answer.status).toBe(404);
  const id = String(answer.headers.get('x-request-id'));
  const { data } = await eventually(
    () => json('request', id),
    ({ exitCode }) => exitCode === 0,
  );
  expect(data.in_short).toMatch(
    /^refused with NOT_FOUND: sent to \/v1\/v1\/chat\/completions, .* once: ask \/v1\/chat\/completions, it came from /,
  );
  expect(data).toMatchObject({ account_id: null, resembles: { account_id: account.id } });
});

test('what curl sends with -d alone has a story with its account', async () => {
  const account = await openAccountWithKey(tollgate.api, { credit: '1.00' });
  const answer = await fetch(`${tollgate.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${account.apiKey}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: JSON.stringify(CHAT),
  });
  expect(answer.status).toBe(415);
  const id = String(answer.headers.get('x-request-id'));
  const { data } = await eventually(
    () => json('request', id),
    ({ exitCode }) => exitCode === 0,
  );
  expect(data.in_short).toMatch(/^refused with UNSUPPORTED_MEDIA_TYPE: The request body must be /);
  expect(data).toMatchObject({ account_id: account.id });
});

/** What an account sees of its money, and what an operator sees of the account. */
async function readMoney(baseUrl: string, id: string) {
  const api = createApi(baseUrl, tollgate.apiKey);
  const read = (what: string) => api.get(`/v1/admin/accounts/${id}/${what}`);
  const listOf = async (what: string) => (await read(what)).items as readonly ApiData[];
  const keys = (await listOf('keys')).map(({ id }) => id);
  // Another audit finds the same.
  const { updated_at: _, audit, ...balance } = await read('balance?audit=true');
  expect(audit).toMatchObject({ ok: true, findings: [] });
  return { balance, ledger: await listOf('ledger'), keys };
}

test('a backup restored elsewhere is the same product: money, books, keys and vendors', async () => {
  const account = await openAccountWithKey(tollgate.api, { credit: '2.00' });
  const ask = (baseUrl: string) =>
    createApi(baseUrl, account.apiKey).request('POST', '/v1/chat/completions', { body: CHAT });
  expect((await ask(tollgate.baseUrl)).status).toBe(200);
  const before = await eventually(
    () => readMoney(tollgate.baseUrl, account.id),
    ({ ledger, balance }) => ledger.length === 2 && balance.reserved === '0.00',
  );
  const copy = join(directory.path, 'copy');
  const refused = await command(['backup', '--to', copy]);
  expect(refused).toMatchObject({ exitCode: 1 });
  expect(refused.output).toContain('is in use: stop the product, or copy while it runs');
  const live = join(directory.path, 'live');
  const running = await command(['backup', '--to', live, '--while-running']);
  expect(running).toMatchObject({ exitCode: 0 });

  tollgate.process.signal('SIGTERM');
  await tollgate.process.exited;
  const stopped = await command(['backup', '--to', copy]);
  expect(stopped.output).toMatch(/documents of \d+ collections .* with its secrets/);
  for (const [from, name] of [
    [live, 'other'],
    [copy, 'restored'],
  ] as const) {
    const TOLLGATE_DATA_DIR = join(directory.path, name);
    const restored = await command(['restore', '--from', from], { TOLLGATE_DATA_DIR });
    expect(restored.output).toContain('are restored, 0 entries of the ledger cut off');
  }

  const other = startMain(join(directory.path, 'restored'), {});
  const [, baseUrl = ''] = await other.waitForOutput(/API +(http\S+)\/v1/, 60_000);
  expect(await readMoney(baseUrl, account.id)).toEqual(before);
  expect((await ask(baseUrl)).status).toBe(200);
  const told = { TOLLGATE_API_KEY: tollgate.apiKey };
  const audit = await command(['audit', '--url', baseUrl], told);
  expect(audit).toMatchObject({ exitCode: 0 });
  other.signal('SIGTERM');
  expect(await other.exited).toBe(0);
  await tollgate.restart();
});

test('an older Node is told which one is needed, whatever is asked', async () => {
  const older = join(directory.path, 'older.cjs');
  writeFileSync(older, "Object.defineProperty(process.versions, 'node', { value: '20.1.0' });");
  const running = startProcess(process.execPath, ['--require', older, PRODUCT_MAIN, '--help'], {
    directory: REPOSITORY,
    environment: {},
  });
  expect(await running.exited).toBe(1);
  expect(running.output()).toBe('tollgate: Node 24 or newer is needed, this is 20.1.0.\n');
});

test('an import refuses a file and a data directory that are not there', async () => {
  const nowhere = join(directory.path, 'nowhere');
  const noFile = await command(['keys', 'import', nowhere]);
  expect(noFile).toMatchObject({ exitCode: 1 });
  expect(noFile.output).toContain(`'${nowhere}'`);
  const noData = await command(['keys', 'import', linesFile('one.jsonl', [])], {
    TOLLGATE_DATA_DIR: nowhere,
  });
  expect(noData).toMatchObject({ exitCode: 1 });
  expect(noData.output).toContain('TOLLGATE_DATA_DIR');
});
