import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runCli } from '../cli';

/** What the product answers: the data, or undefined for a 404. */
type Answer = (request: { readonly path: string; readonly body: string }) => unknown;

let server: Server;
let url: string;
let paths: string[];
let answer: Answer;

beforeEach(async () => {
  paths = [];
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const path = request.url ?? '';
    paths.push(path);
    const data = answer({ path, body });
    const error = { code: 'NOT_FOUND', message: 'Nothing is kept of it.' };
    response.writeHead(data === undefined ? 404 : 200);
    response.end(JSON.stringify(data === undefined ? { error } : { data }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function run(...args: readonly string[]) {
  let out = '';
  let error = '';
  const exitCode = await runCli(
    [...args, '--url', url],
    { TOLLGATE_API_KEY: 'a-key' },
    {
      out: (text) => {
        out += text;
      },
      error: (text) => {
        error += text;
      },
    },
  );
  return { exitCode, out, error };
}

const isList = (path: string) => path.startsWith('/v1/admin/requests?');
const listOf = (...items: readonly object[]) => ({ items, next_cursor: null });

test('a list of requests that stopped before the end says so, and not that there is none', async () => {
  answer = () => ({ items: [], next_cursor: 'next' });
  expect(await run('request', 'list', '--failed')).toEqual({
    exitCode: 1,
    out:
      'not done: found none, but looked at the newest 20 pages of requests only: ' +
      'give --start and --end\n',
    error: '',
  });
  expect(paths).toHaveLength(20);
  const first = { id: 'req_1', status: 'failed' };
  answer = () => ({ items: paths.length === 21 ? [first] : [], next_cursor: 'next' });
  const part = await run('request', 'list', '--failed');
  expect(part).toMatchObject({ exitCode: 0, out: expect.stringContaining('req_1') as string });
  expect(part.error).toContain('looked at the newest 20 pages of requests only');
  answer = () => listOf();
  expect(await run('request', 'list')).toEqual({ exitCode: 0, out: 'there is none\n', error: '' });
});

test('a table of requests says of each that failed why, also where its client left', async () => {
  const left = { id: 'req_1', status: 'failed', error_code: null, end_reason: 'client_gone' };
  const failed = { ...left, id: 'req_2', error_code: 'UPSTREAM_ERROR', end_reason: 'error' };
  const good = { ...left, id: 'req_3', status: 'succeeded', end_reason: 'stop' };
  answer = () => listOf(left, failed, good);
  const { out } = await run('request', 'list');
  expect(out).toMatch(/^req_1 .*failed +client_gone /m);
  expect(out).toMatch(/^req_2 .*failed +UPSTREAM_ERROR /m);
  expect(out).toMatch(/^req_3 .*succeeded +- /m);
  const { out: json } = await run('request', 'list', '--json');
  expect(JSON.parse(json)).toMatchObject([{ error_code: null }, failed, good]);
});

test('the requests of an account that run are listed, and who did not answer is said', async () => {
  const item = { id: 'req_1', started_at: 'at', requested_model: 'small', running_ms: 4000 };
  const more = { ...item, id: 'req_2' };
  const running = { count: 5, reserved: '1.00', items: [item, more], silent: ['c:1'] };
  answer = () => ({ running });
  const list = ['request', 'list', '--running', '--account', 'acc_1'];
  const { error, exitCode, out } = await run(...list, '--limit', '1');
  expect(exitCode).toBe(0);
  expect(out).toMatch(/^req_1 +at +running +- +small +4000 +-$/m);
  expect(out).not.toContain('req_2');
  expect(error).toContain('4 more run\n');
  expect(error).toContain('c:1 did not say what runs there\n');
  expect(JSON.parse((await run(...list, '--json')).out)).toEqual([item, more]);
  for (const args of [['--running'], ['--running', '--account', 'acc_1', '--failed']]) {
    const refused = await run('request', 'list', ...args);
    expect([refused.exitCode, refused.out]).toEqual([
      1,
      'not done: --running lists the requests of an --account, and goes with --limit alone\n',
    ]);
  }
  answer = () => ({ running: null });
  expect((await run(...list)).out).toContain('what runs cannot be told now');
});

test.each(['0', '201', '1.5', '-1', 'many', ''])(
  'a list of %p requests or entries is refused before anything is asked',
  async (limit) => {
    for (const list of [['request', 'list'], ['refusals'], ['account', 'ledger', 'acc_1']]) {
      const { exitCode, error } = await run(...list, `--limit=${limit}`);
      expect([exitCode, paths]).toEqual([1, []]);
      expect(error).toContain('It must be a whole number from 1 to 200.');
    }
  },
);

test('a request that its client called like one of ours is found by that', async () => {
  const name = 'my-req_7';
  answer = ({ path }) => {
    if (isList(path)) return listOf({ id: 'req_1', client_request_id: name });
    return path === '/v1/admin/requests/req_1' ? { id: 'req_1', status: 'succeeded' } : undefined;
  };
  const { exitCode, out } = await run('request', name, '--json');
  expect(exitCode).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ id: 'req_1' });
  answer = ({ path }) => (isList(path) ? listOf() : undefined);
  expect((await run('request', name)).out).toBe('not done: 404 NOT_FOUND Nothing is kept of it.\n');
});

test.each([
  'req_01M85MD97J0000000000000abc',
  'REQ_01M85MD97J0000000000000ABC.',
  'req_01m85md97j0000000000000abc, ',
])('an id is known as it was read out: %p', async (written) => {
  const id = 'req_01M85MD97J0000000000000ABC';
  answer = ({ path }) =>
    path === `/v1/admin/requests/${id}` ? { id, status: 'succeeded' } : undefined;
  const { out } = await run('request', written, '--json');
  expect(JSON.parse(out)).toMatchObject({ id });
});

test('a billing that does not look for what a client called its request is said to be older', async () => {
  answer = () => listOf({ id: 'req_1', client_request_id: 'another' });
  for (const args of [['trace'], ['list', '--client-request-id', 'trace']]) {
    const { exitCode, out } = await run('request', ...args);
    expect(exitCode).toBe(1);
    expect(out).toContain('billing is older than this command, and ignores it');
    expect(out).not.toContain('req_1');
  }
});

test('an account is shown with what it paid for answers that broke off', async () => {
  const charge = { amount: '0.25', reason: 'client_gone', request_id: 'req_1', model: 'small' };
  const balance = { total_credits: '5.00', total_usage: '0.25', balance: '4.75', reserved: '0.00' };
  const books = { credited: '5.00', adjusted: '0.00', available: '4.75', spending: null };
  const in_words = '5.00 credited - 0.25 used = 4.75, adds up; 0.00 reserved, 4.75 available';
  answer = ({ path }) => {
    if (path.includes('/balance?'))
      return { ...balance, ...books, in_words, audit: { ok: true, findings: [] } };
    if (path.includes('kind=charge')) return listOf({ ...charge, created_at: 'at' });
    const isAccount = path === '/v1/admin/accounts/acc_1';
    return isAccount ? { id: 'acc_1', status: 'active', overrides: { discount: '0' } } : listOf();
  };
  expect((await run('account', 'show', 'acc_1')).out).toMatch(
    /^in_short: 5\.00 credited - 0\.25 used = 4\.75, adds up; .* available; 0\.25 of its last 1 charge is for 1 answer .* newest is req_1$/m,
  );
});

test('of an account more charges are told of than shown, and only a price that replaced another', async () => {
  const price = { prompt: '2.00', completion: '8.00' };
  const list = { ...price, since: '2026-10-02T10:00:00.000Z', changed_by: null };
  const charges = Array.from({ length: 11 }, (_, place) => ({
    amount: '0.25',
    reason: place === 0 ? 'client_gone' : 'stop',
    request_id: place % 2 === 0 ? 'req_new' : 'req_changed',
    model: place % 2 === 0 ? 'new' : 'changed',
    created_at: '2026-10-01T10:00:00.000Z',
  }));
  answer = ({ path }) => {
    if (path.includes('/balance?')) return { in_words: '', audit: { ok: true, findings: [] } };
    if (path.includes('kind=charge')) return listOf(...charges);
    if (path.endsWith('/keys?limit=200')) return { items: [{ id: 'key_1' }], next_cursor: 'next' };
    if (path.endsWith('/req_new')) return { list_price: { ...list, before: null } };
    if (path.endsWith('/req_changed')) {
      return { list_price: { ...list, before: { ...price, prompt: '1.00' } } };
    }
    const isAccount = path === '/v1/admin/accounts/acc_1';
    return isAccount ? { id: 'acc_1', status: 'active', overrides: { discount: '0' } } : listOf();
  };
  const { out } = await run('account', 'show', 'acc_1', '--json');
  const shown = JSON.parse(out) as Readonly<Record<string, unknown>>;
  expect(shown.in_short).toContain('0.25 of its last 11 charges (10 shown) is for 1 answer ');
  expect(shown.charges).toHaveLength(10);
  expect(paths.at(-1)).toBe('/v1/admin/accounts/acc_1/keys?limit=200&cursor=next');
  expect(shown.changed_prices).toMatchObject([{ model: 'changed' }]);
  expect(shown.in_short).not.toContain('the price of new changed');
});

test('an address that identity did not change is told, whatever the case of the letters', async () => {
  answer = () => ({ id: 'usr_1', email: 'new@acme.test' });
  expect(await run('user', 'set-email', 'usr_1', 'New@acme.test')).toMatchObject({ exitCode: 0 });
  const { exitCode, out } = await run('user', 'set-email', 'usr_1', 'other@acme.test');
  expect(exitCode).toBe(1);
  expect(out).toContain('the email is still new@acme.test: identity is older');
});

test('a user is moved to an address that nobody has, another one each time', async () => {
  const given: string[] = [];
  answer = ({ body }) => {
    const { email } = JSON.parse(body) as { email: string };
    given.push(email);
    return { id: 'usr_1', email };
  };
  for (const _ of [1, 2]) {
    const { exitCode, out } = await run('user', 'release-email', 'usr_1');
    expect([exitCode, out]).toEqual([0, `id: usr_1\nemail: ${given.at(-1)}\n`]);
    expect(given.at(-1)).toMatch(/^[0-9a-f]{24}@unverified\.invalid$/);
  }
  expect(new Set(given).size).toBe(2);
});

test('a list of channels says who disabled one and when', async () => {
  const health = { state: 'healthy', breaker: 'closed', last_error: null, no_room_at: null };
  const off = { id: 'ch_1', name: 'one', status: 'disabled', disabled_reason: null, health };
  const on = { ...off, id: 'ch_2', name: 'two', status: 'enabled' };
  const switched_off = { by: 'ann@acme.test', at: '2026-10-02T10:00:00.000Z' };
  answer = ({ path }) => (path.includes('?') ? listOf(off, on) : { ...off, switched_off });
  const { out } = await run('channel', 'list', '--json');
  expect(JSON.parse(out)).toMatchObject([
    { name: 'one', disabled_reason: 'ann@acme.test, 2026-10-02T10:00:00.000Z' },
    { name: 'two', disabled_reason: null },
  ]);
  expect(paths).toHaveLength(2);
});

test('a channel that was deleted since the list was read ends no list', async () => {
  const health = { state: 'healthy', breaker: 'closed', last_error: null, no_room_at: null };
  const off = { id: 'ch_1', name: 'one', status: 'disabled', disabled_reason: null, health };
  const gone = { ...off, id: 'ch_2', name: 'two' };
  const switched_off = { by: 'ann@acme.test', at: '2026-10-02T10:00:00.000Z' };
  answer = ({ path }) => {
    if (path.includes('?')) return listOf(off, gone);
    return path.endsWith('ch_1') ? { ...off, switched_off } : undefined;
  };
  const { exitCode, out } = await run('channel', 'list', '--json');
  expect(exitCode).toBe(0);
  expect(JSON.parse(out)).toMatchObject([
    { name: 'one', disabled_reason: 'ann@acme.test, 2026-10-02T10:00:00.000Z' },
    { name: 'two', disabled_reason: null },
  ]);
});

test('what is the doing of its clients is counted apart from the failures of a channel', async () => {
  const metrics = {
    requests: 9,
    failed_requests: 7,
    client_gone_requests: 2,
    invalid_requests: 4,
    timed_out_requests: 1,
    latency_ms: null,
    first_token_ms: null,
  };
  const health = { state: 'healthy', breaker: 'closed', last_error: null, no_room_at: null };
  const shown = {
    id: 'ch_1',
    name: 'one',
    status: 'enabled',
    disabled_reason: null,
    pace: null,
    max_concurrency: null,
  };
  answer = ({ path }) => {
    if (path.startsWith('/v1/stats')) return { results: [{ group: { channel: 'ch_1' }, metrics }] };
    if (path.startsWith('/v1/admin/channels?')) return listOf(shown);
    return { ...shown, health, timeouts_in_force: {} };
  };
  const { out } = await run('channel', 'show', 'one', '--json');
  expect(JSON.parse(out)).toMatchObject({
    this_hour: {
      requests: 9,
      failed_requests: 1,
      client_gone_requests: 2,
      invalid_requests: 4,
      timed_out_requests: 1,
    },
  });
});

test('a channel is shown without its figures where statistics do not answer', async () => {
  const health = { state: 'healthy', breaker: 'closed', last_error: null, no_room_at: null };
  const shown = { id: 'ch_1', name: 'one', status: 'enabled', disabled_reason: null, pace: null };
  answer = ({ path }) => {
    if (path.startsWith('/v1/stats')) return undefined;
    if (path.startsWith('/v1/admin/channels?')) return listOf(shown);
    return { ...shown, max_concurrency: null, health, timeouts_in_force: {} };
  };
  const { exitCode, out } = await run('channel', 'show', 'one');
  expect(exitCode).toBe(0);
  expect(out).toContain('in_short: enabled, healthy');
  expect(out).toContain('yesterday: not known: 404 NOT_FOUND');
});

test('an account is not erased by its name, and the refusal tells the id', async () => {
  answer = () => ({ items: [{ id: 'acc_1', name: 'Gone' }], next_cursor: null });
  const named = await run('account', 'erase', 'Gone', '--yes');
  expect(named.exitCode).toBe(1);
  expect(named.out).toContain('an account is erased by its id alone: Gone is acc_1');
  expect(paths).toEqual(['/v1/admin/accounts?limit=200&name=Gone']);
  expect(await run('account', 'erase', 'acc_1', '--yes')).toMatchObject({ exitCode: 0 });
});

test('refusals are found by account, key, code and time, over as many pages as it takes', async () => {
  const of = (id: string, changes: object = {}) => ({
    id,
    at: '2026-10-02T10:00:00.000Z',
    error_code: 'RATE_LIMIT_EXCEEDED',
    account_id: 'acc_1',
    key_id: 'key_1',
    message: 'Please wait.',
    ...changes,
  });
  const pages = [
    { items: [of('req_9', { key_id: 'key_2' }), of('req_8')], next_cursor: 'next' },
    { items: [of('req_7', { error_code: 'FORBIDDEN' }), of('req_6')], next_cursor: 'more' },
    { items: [of('req_5', { at: '2026-10-01T10:00:00.000Z' })], next_cursor: 'older' },
  ];
  answer = () => pages[paths.length - 1] ?? listOf();
  const filters = ['--key', 'key_1', '--code', 'rate_limit_exceeded'];
  const since = ['--since', '2026-10-02T00:00:00Z', '--account', 'acc_1'];
  const { out } = await run('refusals', ...filters, ...since, '--json');
  expect(JSON.parse(out)).toMatchObject([{ id: 'req_8' }, { id: 'req_6' }]);
  expect(paths).toEqual([
    '/v1/admin/refusals?limit=200&account_id=acc_1',
    '/v1/admin/refusals?limit=200&account_id=acc_1&cursor=next',
    '/v1/admin/refusals?limit=200&account_id=acc_1&cursor=more',
    '/v1/admin/refusals?limit=200',
  ]);
  expect((await run('refusals', '--since', 'yesterday')).exitCode).toBe(1);
});

test('refusals of an account and of a key are also those that only begin like the key', async () => {
  const at = '2026-10-02T10:00:00.000Z';
  const nobody = { at, error_code: 'UNAUTHORIZED', account_id: null, key_id: null, message: 'No.' };
  const owner = { account_id: 'acc_1', account_name: 'Acme' };
  const like = { key_id: 'key_1', key_name: 'main', ...owner };
  const all = [
    { ...nobody, id: 'req_4', resembles: like },
    { ...nobody, id: 'req_3', resembles: null },
    { ...nobody, id: 'req_2', account_id: 'acc_1', key_id: 'key_1', resembles: null },
    { ...nobody, id: 'req_1', resembles: { ...like, account_id: 'acc_2', key_id: 'key_2' } },
  ];
  answer = ({ path }) =>
    listOf(...all.filter((one) => !path.includes('acc_') || one.account_id !== null));
  for (const filter of [
    ['--account', 'acc_1'],
    ['--key', 'key_1'],
  ]) {
    const { out } = await run('refusals', ...filter);
    expect(out).toMatch(/^req_4 .* No\. Begins like "main" of Acme\.$/m);
    expect(out.match(/^req_\d/gm)).toEqual(['req_4', 'req_2']);
  }
});

test.each([
  [['critical', 'warning'], 1],
  [['warning'], 0],
  [[], 0],
])('alerts of the severities %j end with exit code %d', async (severities, exitCode) => {
  answer = () => ({ checked_at: 'now', items: severities.map((severity) => ({ severity })) });
  expect((await run('alerts')).exitCode).toBe(exitCode);
  const json = await run('alerts', '--json');
  expect([json.exitCode, JSON.parse(json.out)]).toMatchObject([
    exitCode,
    { length: severities.length },
  ]);
});

test('a mistyped channel is guessed by what its name is near to', async () => {
  answer = () => listOf({ id: 'chn_1', name: 'slowish', type: 'openai_compatible' });
  const { out } = await run('channel', 'show', 'slugish');
  expect(out).toContain('did you mean chn_1 ("slowish")?');
});

test('a story shows terms of its account to people where there are some, and always as JSON', async () => {
  const terms = { discount: '0.00', groups: [], limits: {}, models: [] };
  let overrides: object = terms;
  answer = () => ({
    id: 'req_1',
    status: 'succeeded',
    error_code: null,
    requested_model: null,
    now: { account: { name: 'Acme', status: 'active', overrides }, key: null },
  });
  expect((await run('request', 'req_1')).out).not.toContain('overrides');
  const { out } = await run('request', 'req_1', '--json');
  expect(JSON.parse(out)).toMatchObject({ now: { account: { overrides: terms } } });
  overrides = { ...terms, discount: '-10.00' };
  expect((await run('request', 'req_1')).out).toContain('discount: -10.00');
});
