import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerOutcome, failureOutcome } from './outcome';
import { askProduct } from './product/add-command';
import { askOnce } from './product-client';

const ESC = '\u001b';

test('what tenants wrote cannot move the cursor, add a line or turn the reading direction', () => {
  const forged = { metadata: { [`a${ESC}`]: `${ESC}[2K\nstatus: active`, b: '\u202egnp' } };
  expect(answerOutcome(forged, false).message).toBe(
    'metadata:\n  a\\u001b: \\u001b[2K\\u000astatus: active\n  b: \\u202egnp\n',
  );
  expect(failureOutcome(new Error(`no ${ESC}[31m`), false).message).toBe(
    'not done: no \\u001b[31m\n',
  );
  expect(JSON.parse(answerOutcome(forged, true).message)).toEqual(forged);
});

test('what is empty is left out for people, and kept for programs', () => {
  const story = { id: 'req_1', param: null, rejected: [], now: { balance: null } };
  expect(answerOutcome(story, false).message).toBe('id: req_1\n');
  expect(JSON.parse(answerOutcome(story, true).message)).toEqual(story);
});

/** A product that answers every change with this status, or breaks the connection off at 0. */
async function withProduct<Result>(
  status: number,
  run: (url: string, keys: readonly unknown[]) => Promise<Result>,
): Promise<Result> {
  const keys: unknown[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers['idempotency-key']);
    if (status === 0) return void response.destroy();
    response.statusCode = status;
    response.end(JSON.stringify({ error: { code: 'ANY', message: 'In words.' } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, keys);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const credit = (url: string, json: boolean, key?: string) =>
  askProduct({ url, json }, { TOLLGATE_API_KEY: 'k' }, (product) =>
    askOnce(product, '/v1/x', { method: 'POST', body: {} }, key),
  );

test.each([0, 409, 500, 503])(
  'a write that may have been done tells the key under which it is made sure of: %s',
  async (status) => {
    await withProduct(status, async (url, keys) => {
      const told = JSON.parse((await credit(url, true)).message) as Record<string, unknown>;
      expect(told).toMatchObject({ idempotency_key: keys[0] });
      expect(String(keys[0])).toMatch(/^[0-9a-f-]{36}$/);
      const { message } = await credit(url, false, 'mine');
      expect(keys[1]).toBe('mine');
      expect(message).toMatch(/once more with --idempotency-key mine: /);
      expect(message).not.toContain('not done');
    });
  },
);

test.each([400, 403, 429])('a write that was refused is not done: %s', async (status) => {
  await withProduct(status, async (url) => {
    const { message } = await credit(url, false);
    expect(message).toMatch(/^not done: /);
    expect(message).not.toContain('--idempotency-key');
  });
});
