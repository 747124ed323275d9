import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { describeTakenPort, findPortOwner } from './port-check';

let server: Server;
let port: number;
beforeEach(async () => {
  server = createServer();
  do {
    // Below those that systems give away by themselves: nobody else is given it once it is free.
    port = 20_000 + randomInt(10_000);
    server.listen(port, '127.0.0.1');
    await once(server, 'listening').catch(() => undefined);
  } while (!server.listening);
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

const variable = 'TOLLGATE_HTTP_PORT';

test('a taken port names its variable as the remedy, and its owner where that is known', async () => {
  const sentence = await describeTakenPort({ bind: '127.0.0.1', port, variable });
  expect(sentence).toMatch(
    new RegExp(`^port ${port} is taken.*set TOLLGATE_HTTP_PORT to another port$`),
  );
  if (process.platform === 'linux') expect(sentence).toContain(`by process ${process.pid} (`);
});

test('a free port and port 0 are no problem', async () => {
  await new Promise((resolve) => server.close(resolve));
  expect(await describeTakenPort({ bind: '127.0.0.1', port, variable })).toBeUndefined();
  expect(await describeTakenPort({ bind: '127.0.0.1', port: 0, variable })).toBeUndefined();
  expect(findPortOwner(port)).toBeUndefined();
});

test('an address that is not ours is an error of its own', async () => {
  const wanted = { bind: '192.0.2.1', port, variable };
  await expect(describeTakenPort(wanted)).rejects.toThrow('192.0.2.1');
});
