import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findFirstModel, firstModelId, formatCard } from './first-start-card';

const common = { publicUrl: 'http://127.0.0.1:8080', dataDirectory: '/data' };
const firstStart = { email: 'operator@tollgate.local', password: 'hush', apiKey: 'a-key' };

test('the first start shows the addresses, the login, the key and one line to paste', () => {
  const card = formatCard({ ...common, firstStart, model: 'simulated-small' });
  expect(card).toContain('http://127.0.0.1:8080/v1\n');
  expect(card).toContain('http://127.0.0.1:8080/console/\n');
  expect(card).toContain('operator@tollgate.local');
  expect(card).toContain('hush');
  const [curl = ''] = card.split('\n').filter((line) => line.startsWith('curl '));
  expect(curl).toContain("-H 'Authorization: Bearer a-key'");
  const body: unknown = JSON.parse(/-d '(.*)'$/.exec(curl)?.[1] ?? '');
  expect(body).toEqual({
    model: 'simulated-small',
    messages: [{ role: 'user', content: 'Hello' }],
  });
});

test('later starts show no secret', () => {
  const card = formatCard({ ...common, firstStart: undefined, model: undefined });
  expect(card).toContain('http://127.0.0.1:8080/v1');
  expect(card).not.toMatch(/Password|API key|curl/);
});

test('a password that the operator chose is not repeated', () => {
  const chosen = { ...firstStart, password: undefined };
  const card = formatCard({ ...common, firstStart: chosen, model: undefined });
  expect(card).toContain('(the one you configured)');
});

test('names that only route are passed over', () => {
  const data = [{ id: 'auto', routing: true }, { id: 'small' }, { id: 'large' }];
  expect(firstModelId({ object: 'list', data })).toBe('small');
});

test.each([undefined, null, {}, { data: [] }, { data: [{ id: 1 }] }, []])(
  'the answer %p names none',
  (list) => {
    expect(firstModelId(list)).toBeUndefined();
  },
);

test('the model is asked for with the new key, as a client does', async () => {
  const seen: unknown[] = [];
  const server = createServer((request, response) => {
    seen.push([request.url, request.headers.authorization]);
    response.end('{"data":[{"id":"small"}]}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await findFirstModel(url, 'a-key')).toBe('small');
  expect(seen).toEqual([['/v1/models', 'Bearer a-key']]);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  expect(await findFirstModel(url, 'a-key')).toBe('auto');
});
