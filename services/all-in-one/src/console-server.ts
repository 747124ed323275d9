import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join, relative } from 'node:path';
import { type ConfigOf, defineConfig, port, text } from '@tollgate/config';
import { MINUTE_MS } from '@tollgate/core';
import { listenOn, READY, readinessFrom, type ServiceHost } from '@tollgate/lifecycle';
import type { TargetModule } from './start/target-module';

export const consoleConfigSchema = defineConfig({
  bind: text('TOLLGATE_CONSOLE_BIND', {
    default: '0.0.0.0',
    description: "The address that the console's file server binds; 127.0.0.1 with TARGET=all.",
  }),
  port: port('TOLLGATE_CONSOLE_PORT', {
    default: 7190,
    description: "The port of the console's file server; 0 takes any free one.",
  }),
  directory: text('TOLLGATE_CONSOLE_DIR', {
    default: join(__dirname, '../../console/dist'),
    description: 'Directory of the built console.',
  }),
});

export type ConsoleConfig = ConfigOf<typeof consoleConfigSchema>;

/** A file of the built console, read once: a build is small and never changes while it runs. */
interface Asset {
  readonly body: Buffer;
  /** The copies that the build compressed, the smaller kind first. */
  readonly encoded: readonly { readonly encoding: string; readonly body: Buffer }[];
  readonly type: string;
  readonly cacheControl: string;
}

const INDEX = '/index.html';
const PREFIX = '/console';
const CONNECTIONS_MAX = 1_024;
/**
 * The gateway keeps its connections open between pages. One that is closed here in the moment of its
 * next request fails that request, so idle ones are kept for longer than people look at a page.
 */
const KEEP_ALIVE_MS = 10 * MINUTE_MS;
const FILES_MAX = 1_000;
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;
/** The placeholder that the build writes where the nonce of an answer belongs. */
const NONCE_PLACE = '__CSP_NONCE__';
const NONCE_BYTES = 16;

/** Everything from this origin; styles that scripts make need the nonce of their page. */
function securityHeaders(nonce: string) {
  return {
    'content-security-policy':
      "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self' data:; " +
      `font-src 'self'; style-src 'self' 'nonce-${nonce}'; ` +
      "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  };
}

/** Serves the built console, and its first page for every path that is no file. */
export function createConsoleService(config: ConsoleConfig, host: ServiceHost): TargetModule {
  const logger = host.logger.child({ service: 'console' });
  let assets: ReadonlyMap<string, Asset> = new Map();
  let baseUrl: string | undefined;
  const server = createServer((request, response) => answer(assets, request, response));
  server.maxConnections = CONNECTIONS_MAX;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return {
    name: 'console',
    baseUrl: () => baseUrl,
    async start() {
      assets = readAssets(config.directory);
      if (assets.size === 0) logger.warn({ directory: config.directory }, 'no console is built');
      baseUrl = (await listenOn(server, config, logger)).url;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    readiness: () => (baseUrl === undefined ? readinessFrom(['not listening']) : READY),
  };
}

/** Every file by its URL path; requests are looked up here, so no path can lead outside. */
function readAssets(directory: string): ReadonlyMap<string, Asset> {
  const assets = new Map<string, Asset>();
  const entries = new Set(listFiles(directory));
  const read = (entry: string) => readFileSync(join(directory, entry));
  for (const entry of entries) {
    const suffix = ENCODINGS.find(([, end]) => entry.endsWith(end))?.[1];
    if (suffix !== undefined && entries.has(entry.slice(0, -suffix.length))) continue;
    const path = `/${entry}`;
    const immutable = path.startsWith('/assets/');
    const encodings = ENCODINGS.filter(([, end]) => entries.has(`${entry}${end}`));
    assets.set(path, {
      body: read(entry),
      encoded: encodings.map(([encoding, end]) => ({ encoding, body: read(`${entry}${end}`) })),
      type: TYPES[extname(path)] ?? 'application/octet-stream',
      // The build puts a digest of the content into the names below assets/.
      cacheControl: immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    });
  }
  return assets;
}

function listFiles(directory: string): readonly string[] {
  try {
    const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    if (files.length > FILES_MAX) throw new Error(`${directory} holds more than a built console`);
    return files.map((entry) =>
      relative(directory, join(entry.parentPath, entry.name)).replaceAll('\\', '/'),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function answer(
  assets: ReadonlyMap<string, Asset>,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const [whole = '/'] = (request.url ?? '/').split('?');
  const path =
    whole === PREFIX || whole.startsWith(`${PREFIX}/`) ? whole.slice(PREFIX.length) : whole;
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD', ...securityHeaders(nonce) }).end();
    return;
  }
  // A path with an extension is a file that should be there; any other is a page of the console.
  const asset = assets.get(path) ?? (extname(path) === '' ? assets.get(INDEX) : undefined);
  if (asset === undefined) {
    response.writeHead(404, { 'content-type': 'text/plain', ...securityHeaders(nonce) });
    response.end(assets.size === 0 ? 'the console is not built\n' : 'not found\n');
    return;
  }
  const isPage = asset === assets.get(INDEX);
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const copy = isPage
    ? { body: Buffer.from(asset.body.toString().replaceAll(NONCE_PLACE, nonce)) }
    : chooseCopy(asset, accepted);
  response.writeHead(200, {
    'content-type': asset.type,
    'content-length': copy.body.length,
    ...(copy.encoding === undefined ? {} : { 'content-encoding': copy.encoding }),
    ...(asset.encoded.length === 0 ? {} : { vary: 'accept-encoding' }),
    'cache-control': asset.cacheControl,
    ...securityHeaders(nonce),
  });
  response.end(copy.body);
}

/** The smallest copy that the client can read. */
function chooseCopy(
  asset: Asset,
  accepted: string,
): { readonly body: Buffer; readonly encoding?: string } {
  const names = accepted.split(',').map((part) => {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? '' : name;
  });
  return asset.encoded.find(({ encoding }) => names.includes(encoding)) ?? asset;
}
