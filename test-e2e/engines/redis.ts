import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findQuietPort } from '../support/network/free-port';
import { isInstalled, runCommand } from '../support/run-command';
import {
  ask,
  type EngineCommand,
  makeDataDirectory,
  type RunningEngine,
  type StartOptions,
  startEngine,
} from './engine-process';
import { installPackage, packageObstacle, type Report, step } from './installation';
import type { Secured } from './secured';

const START_TIMEOUT_MS = 10_000;
const CLUSTER_TIMEOUT_MS = 30_000;
const CLUSTER_SERVERS = 3;

/** Why no Redis can be had here; undefined when one can. */
export function redisObstacle(): string | undefined {
  return isInstalled('redis-server') ? undefined : packageObstacle();
}

/** Starts Redis on a free port of loopback, without anything on disk. */
export async function startRedis(options: StartOptions, secured?: Secured): Promise<RunningEngine> {
  await installRedis(options.report);
  return startServer(options, secured);
}

/** Servers that have a third of the keys each, and no copies. */
export interface RedisCluster {
  readonly servers: readonly RunningEngine[];
  /** `host:port` of each, with commas between. */
  readonly addresses: string;
  stop(): Promise<void>;
}

/** A server that is away takes only its own keys along: the others go on. */
export async function startRedisCluster(
  options: StartOptions,
  secured?: Secured,
): Promise<RedisCluster> {
  await installRedis(options.report);
  const servers: RunningEngine[] = [];
  const stop = async () => void (await Promise.all(servers.map((server) => server.stop())));
  try {
    const places: string[] = [];
    for (let count = 0; count < CLUSTER_SERVERS; count += 1) {
      const busPort = await findQuietPort();
      const server = await startServer(options, secured, {
        '--cluster-enabled': 'yes',
        '--cluster-port': String(busPort),
        '--cluster-node-timeout': '2000',
        '--cluster-require-full-coverage': 'no',
        ...(secured === undefined ? {} : { '--tls-cluster': 'yes' }),
      });
      servers.push(server);
      places.push(`${new URL(server.url).host}@${busPort}`);
    }
    const tls = secured === undefined ? [] : ['--tls', '--cacert', secured.caFile];
    const env = secured === undefined ? {} : { REDISCLI_AUTH: secured.password };
    const create = [...tls, '--cluster', 'create', ...places, '--cluster-yes'];
    await step(options.report, 'Redis Cluster ready', () =>
      runCommand('redis-cli', create, { timeoutMs: CLUSTER_TIMEOUT_MS, env }),
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return { servers, addresses: servers.map(({ url }) => new URL(url).host).join(','), stop };
}

async function startServer(
  options: StartOptions,
  secured: Secured | undefined,
  more: Readonly<Record<string, string>> = {},
): Promise<RunningEngine> {
  const port = await findQuietPort();
  const dataDirectory = await makeDataDirectory('redis');
  const settings = {
    '--bind': '127.0.0.1',
    ...(secured === undefined ? { '--port': String(port) } : securedSettings(port, secured)),
    '--dir': dataDirectory,
    '--save': '',
    '--appendonly': 'no',
    '--daemonize': 'no',
    ...more,
  };
  const command = {
    name: 'redis',
    url:
      secured === undefined
        ? `redis://127.0.0.1:${port}`
        : `rediss://:${secured.password}@127.0.0.1:${port}`,
    program: 'redis-server',
    args: Object.entries(settings).flat(),
    dataDirectory,
    startTimeoutMs: START_TIMEOUT_MS,
    isReady: async (log: string) =>
      secured === undefined
        ? (await ask(port, Buffer.from('PING\r\n'))).toString() === '+PONG\r\n'
        : log.includes('Ready to accept connections'),
  };
  try {
    return await startEngine(command, options);
  } catch (error) {
    await rm(dataDirectory, { recursive: true, force: true });
    throw error;
  }
}

/** Starts a sentinel that knows the Redis of the URL by a name. */
export async function startSentinel(
  options: StartOptions,
  { name, redisUrl }: { readonly name: string; readonly redisUrl: string },
): Promise<RunningEngine> {
  const port = await findQuietPort();
  const dataDirectory = await makeDataDirectory('sentinel');
  const file = join(dataDirectory, 'sentinel.conf');
  const lines = [
    'bind 127.0.0.1',
    `port ${port}`,
    `dir ${dataDirectory}`,
    `sentinel monitor ${name} 127.0.0.1 ${new URL(redisUrl).port} 1`,
  ];
  await writeFile(file, `${lines.join('\n')}\n`);
  const command: EngineCommand = {
    name: 'sentinel',
    url: `127.0.0.1:${port}`,
    dataDirectory,
    program: 'redis-server',
    args: [file, '--sentinel'],
    startTimeoutMs: START_TIMEOUT_MS,
    isReady: async () => (await ask(port, Buffer.from('PING\r\n'))).toString() === '+PONG\r\n',
  };
  try {
    return await startEngine(command, options);
  } catch (error) {
    await rm(dataDirectory, { recursive: true, force: true });
    throw error;
  }
}

/** TLS alone; a client need not show a certificate, but must know the password. */
function securedSettings(port: number, { certificate, caFile, password }: Secured) {
  return {
    '--port': '0',
    '--tls-port': String(port),
    '--tls-cert-file': certificate.certFile,
    '--tls-key-file': certificate.keyFile,
    '--tls-ca-cert-file': caFile,
    '--tls-auth-clients': 'no',
    '--requirepass': password,
  };
}

async function installRedis(report: Report): Promise<void> {
  if (isInstalled('redis-server')) return;
  await step(report, 'redis-server installed', () => installPackage('redis-server'));
}
