import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findFirstModel, firstModelId } from './find-first-model';

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
