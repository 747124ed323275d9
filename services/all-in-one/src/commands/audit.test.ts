import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { auditMoney } from './audit';

let server: Server;
let url: string;
let answer: { status: number; body: string };
let seen: { path: string | undefined; bearer: string | undefined };

beforeEach(async () => {
  server = createServer((request, response) => {
    seen = { path: request.url, bearer: request.headers.authorization };
    response.writeHead(answer.status).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(() => new Promise((resolve) => server.close(resolve)));

const audit = (environment: Record<string, string> = { TOLLGATE_API_KEY: 'a-key' }) =>
  auditMoney({ url: `${url}/`, timeoutMs: 5000 }, environment);

function books(ok: boolean, findings: readonly unknown[] = []): string {
  const sums = { drift: ok ? '0.00' : '0.01', absorbed: '0.00', overrun: '0.00' };
  const data = { ok, accounts_checked: 3, ...sums, findings, checked_at: '2026-01-01T00:00:00Z' };
  return JSON.stringify({ success: true, data, error: null, message: null });
}

test('books that balance exit 0, asked for with the operator’s key', async () => {
  answer = { status: 200, body: books(true) };
  const { exitCode, message } = await audit();
  expect(exitCode).toBe(0);
  expect(message).toContain('The books balance.');
  expect(seen).toEqual({ path: '/v1/admin/audit', bearer: 'Bearer a-key' });
});

test('books that do not balance exit 1 and say where', async () => {
  const finding = { account_id: 'acc_1', rule: 'sum', detail: 'off by 0.01' };
  answer = { status: 200, body: books(false, [finding]) };
  const { exitCode, message } = await audit();
  expect(exitCode).toBe(1);
  expect(message).toContain('acc_1 sum: off by 0.01');
});

test('a refusal, a body that is no JSON and a missing key are no audit, and exit 1', async () => {
  answer = { status: 403, body: '{"success":false,"data":null}' };
  expect(await audit()).toMatchObject({ exitCode: 1 });
  answer = { status: 200, body: '<html>' };
  expect(await audit()).toMatchObject({ exitCode: 1 });
  expect((await audit({})).message).toContain('TOLLGATE_API_KEY');
});
