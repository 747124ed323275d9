import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createSystemClock, silentLogger } from '@tollgate/core';
import { createMetrics } from '@tollgate/observability';
import { createConsoleService } from './console-server';
import type { TargetModule } from './start/target-module';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

let parent: string;
let directory: string;
let service: TargetModule;
const host = { clock: createSystemClock(), logger: silentLogger, metrics: createMetrics() };

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'console-'));
  directory = join(parent, 'dist');
  writeFileSync(join(parent, 'private.txt'), 'private');
});
afterEach(async () => {
  await service.stop();
  rmSync(parent, { recursive: true });
});

async function start(): Promise<void> {
  service = createConsoleService({ bind: '127.0.0.1', port: 0, directory }, host);
  await service.start();
}

function build(): void {
  mkdirSync(join(directory, 'assets'), { recursive: true });
  writeFileSync(join(directory, 'index.html'), '<p>console</p>');
  writeFileSync(join(directory, 'assets/app-1234.js'), 'start()');
  writeFileSync(join(directory, 'assets/app-1234.js.br'), 'smallest');
  writeFileSync(join(directory, 'assets/app-1234.js.gz'), 'smaller');
}

/** Sends the path as it is; fetch would tidy it. */
function get(path: string, method = 'GET', headers: Record<string, string> = {}) {
  return new Promise<{ status: number | undefined; headers: Headers; text: string }>(
    (resolve, reject) => {
      const { port } = new URL(service.baseUrl?.() ?? '');
      request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on('end', () => {
          resolve({ status: response.statusCode, headers: response.headers, text });
        });
      })
        .on('error', reject)
        .end();
    },
  );
}

test('pages answer with the application, which is asked for again each time', async () => {
  build();
  await start();
  for (const path of ['/', '/console', '/console/', '/console/keys/key_1', '/console/?a=1']) {
    expect(await get(path)).toMatchObject({
      status: 200,
      text: '<p>console</p>',
      headers: { 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' },
    });
  }
});

test('a directory may be written with a slash at its end, or from where the process stands', async () => {
  build();
  for (const written of [`${directory}/`, relative(process.cwd(), directory)]) {
    service = createConsoleService({ bind: '127.0.0.1', port: 0, directory: written }, host);
    await service.start();
    expect(await get('/console/assets/app-1234.js')).toMatchObject({ status: 200 });
    await service.stop();
  }
});

test('files whose name holds a digest are kept by browsers', async () => {
  build();
  await start();
  expect(await get('/console/assets/app-1234.js')).toMatchObject({
    status: 200,
    text: 'start()',
    headers: { 'cache-control': 'public, max-age=31536000, immutable' },
  });
  expect(await get('/console/assets/app-0000.js')).toMatchObject({ status: 404 });
});

test('a file goes out in the smallest form that the client reads', async () => {
  build();
  await start();
  const ask = (accepted: string) =>
    get('/console/assets/app-1234.js', 'GET', { 'accept-encoding': accepted });
  expect(await ask('gzip, deflate, br')).toMatchObject({
    text: 'smallest',
    headers: { 'content-encoding': 'br', 'content-type': 'text/javascript; charset=utf-8' },
  });
  expect(await ask('gzip;q=0.5, br;q=0')).toMatchObject({
    text: 'smaller',
    headers: { 'content-encoding': 'gzip', vary: 'accept-encoding' },
  });
  const plain = await ask('identity');
  expect(plain.text).toBe('start()');
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(await get('/console/assets/app-1234.js.br')).toMatchObject({ status: 404 });
});

test('the styles of a page need its nonce, which no other answer has', async () => {
  build();
  writeFileSync(join(directory, 'index.html'), '<meta nonce="__CSP_NONCE__">');
  await start();
  const nonceOf = ({ headers }: { headers: Headers }) =>
    /'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1];
  const [first, second] = [await get('/console/'), await get('/console/keys')];
  expect(first.text).toBe(`<meta nonce="${nonceOf(first)}">`);
  expect(second.text).toBe(`<meta nonce="${nonceOf(second)}">`);
  expect(nonceOf(first)).not.toBe(nonceOf(second));
  expect(String(first.headers['content-security-policy'])).not.toContain('unsafe');
});

test('a connection of the gateway is kept for longer than people look at a page', async () => {
  build();
  await start();
  const { headers } = await get('/console/', 'GET', { connection: 'keep-alive' });
  expect(headers['keep-alive']).toBe('timeout=600');
});

test('every answer forbids foreign scripts and frames', async () => {
  build();
  await start();
  for (const path of ['/', '/absent.js']) {
    const { headers } = await get(path);
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'") as string,
      'x-content-type-options': 'nosniff',
    });
  }
});

test('no path leads outside the build', async () => {
  build();
  await start();
  for (const path of ['/../private.txt', '/console/../../private.txt', '/%2e%2e/private.txt']) {
    expect((await get(path)).text).not.toContain('private');
  }
});

test('methods that would change something are refused', async () => {
  build();
  await start();
  expect(await get('/', 'POST')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
});

test('a console that is not built says so and does not keep the process from starting', async () => {
  await start();
  expect(service.readiness().ready).toBe(true);
  expect(await get('/console/')).toMatchObject({ status: 404, text: 'the console is not built\n' });
});
