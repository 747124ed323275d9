import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { auditMoney } from './audit';

const NOON = '2026-01-01T00:00:00Z';

let server: Server;
let url: string;
let answer: { status: number; body: string };
/** Answered before `answer`, each once. */
let parts: string[];
let progress: string[];
let paths: (string | undefined)[];
let seen: { path: string | undefined; bearer: string | undefined };

beforeEach(async () => {
  parts = [];
  progress = [];
  paths = [];
  server = createServer((request, response) => {
    seen = { path: request.url, bearer: request.headers.authorization };
    paths.push(request.url);
    const part = parts.shift();
    if (part === undefined) response.writeHead(answer.status).end(answer.body);
    else response.writeHead(200).end(part);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(() => new Promise((resolve) => server.close(resolve)));

const audit = (environment: Record<string, string> = { TOLLGATE_API_KEY: 'a-key' }) =>
  auditMoney(
    {
      url: `${url}/`,
      json: false,
      timeoutMs: 20_000,
      progress: (sentence) => void progress.push(sentence),
    },
    environment,
  );

function books(ok: boolean, findings: readonly unknown[] = [], more: object = {}): string {
  const sums = { drift: ok ? '0.00' : '0.01', absorbed: '0.00', overrun: '0.00' };
  const data = { ok, accounts_checked: 3, checked_at: NOON, ...sums, findings, ...more };
  return JSON.stringify({ success: true, data, error: null, message: null });
}

test('books that balance exit 0, asked for with the operator’s key', async () => {
  answer = { status: 200, body: books(true) };
  const { exitCode, message } = await audit();
  expect(exitCode).toBe(0);
  expect(message).toContain('The books balance.');
  expect(seen).toEqual({ path: '/v1/admin/audit?fresh=true', bearer: 'Bearer a-key' });
});

test('books that do not balance exit 1 and say where', async () => {
  const finding = { account_id: 'acc_1', rule: 'sum', detail: 'off by 0.01' };
  answer = { status: 200, body: books(false, [finding]) };
  const { exitCode, message } = await audit();
  expect(exitCode).toBe(1);
  expect(message).toContain('acc_1 sum: off by 0.01');
});

test('a product with many accounts is asked part by part until all are checked', async () => {
  const finding = { account_id: 'acc_1', rule: 'sum', detail: 'off by 0.01' };
  parts = [
    books(true, [], { complete: false, next_cursor: 'one' }),
    books(false, [finding], { complete: false, next_cursor: 'two' }),
  ];
  answer = { status: 200, body: books(true, [], { complete: true, next_cursor: null }) };
  const { exitCode, message } = await audit();
  expect(exitCode).toBe(1);
  expect(message).toMatch(/accounts {2}9\n {2}drift {5}0\.01\n/);
  expect(message).toContain('acc_1 sum: off by 0.01');
  expect(paths.map((path) => path?.split('?')[1])).toEqual([
    'fresh=true',
    'cursor=one',
    'cursor=two',
  ]);
  expect(progress).toEqual(['3 accounts checked, 0 findings', '6 accounts checked, 1 findings']);
});

test('an account that takes longer than an answer may take ends it with a reason', async () => {
  const nothing = { accounts_checked: 0, complete: false };
  parts = [books(true, [], { complete: false, next_cursor: 'one' })];
  answer = { status: 200, body: books(true, [], { ...nothing, next_cursor: 'one' }) };
  const { exitCode, message } = await audit();
  expect(exitCode).toBe(1);
  expect(message).toContain('no audit was made: the next account takes longer');
  expect(paths).toHaveLength(2);
});

test('a refusal, a body that is no JSON and a missing key are no audit, and exit 1', async () => {
  answer = { status: 403, body: '{"success":false,"data":null}' };
  expect(await audit()).toMatchObject({ exitCode: 1 });
  answer = { status: 200, body: '<html>' };
  expect(await audit()).toMatchObject({ exitCode: 1 });
  expect((await audit({})).message).toContain('TOLLGATE_API_KEY');
});
