import { createServer } from 'node:http';
import { listenOn, urlOf } from './listen';

test.each([
  ['127.0.0.1', 'http://127.0.0.1:7190'],
  ['console.internal', 'http://console.internal:7190'],
  ['0.0.0.0', 'http://127.0.0.1:7190'],
  ['::', 'http://[::1]:7190'],
  ['fd00::2', 'http://[fd00::2]:7190'],
])('what binds %s is called at %s', (bind, url) => {
  expect(urlOf(bind, 7190)).toBe(url);
  expect(URL.canParse(url)).toBe(true);
});

test('a server listens at the address that is told, and a second one is told that it is taken', async () => {
  const error = jest.fn();
  const logger = { error };
  const server = createServer((_request, response) => response.end('heard'));
  const { url, port } = await listenOn(server, { bind: '127.0.0.1', port: 0 }, logger);
  expect(await (await fetch(url)).text()).toBe('heard');
  const second = listenOn(createServer(), { bind: '127.0.0.1', port }, logger);
  await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
  // Such as too many open files.
  server.emit('error', new Error('accept'));
  expect(error).toHaveBeenCalledTimes(1);
  server.close();
  server.closeAllConnections();
});
