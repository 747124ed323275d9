import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename } from 'node:path';

/** A port that this process is about to listen on. */
export interface WantedPort {
  readonly bind: string;
  /** 0 is always free. */
  readonly port: number;
  /** The variable that changes it. */
  readonly variable: string;
}

/** A sentence with the remedy when the port is taken, else undefined. */
export async function describeTakenPort(wanted: WantedPort): Promise<string | undefined> {
  const { bind, port, variable } = wanted;
  if (port === 0 || (await isFree(bind, port))) return undefined;
  const owner = findPortOwner(port);
  const by = owner === undefined ? '' : ` by ${owner}`;
  return `port ${port} is taken${by}: stop its owner, or set ${variable} to another port`;
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(new Error(`${host}:${port} cannot be listened on: ${error.message}`));
    });
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

const TCP_LISTEN = '0A';

/** `process 123 (name)` on Linux, where the kernel's tables tell; undefined elsewhere. */
export function findPortOwner(port: number): string | undefined {
  const inodes = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((t) => listeners(t, port)));
  if (inodes.size === 0) return undefined;
  for (const pid of readDirectory('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    for (const descriptor of readDirectory(`/proc/${pid}/fd`)) {
      const inode = /^socket:\[(\d+)\]$/.exec(readLink(`/proc/${pid}/fd/${descriptor}`))?.[1];
      if (inode !== undefined && inodes.has(inode)) return describeProcess(pid);
    }
  }
  return undefined;
}

function listeners(table: string, port: number): readonly string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return readText(table)
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(suffix) && state === TCP_LISTEN)
    .flatMap((columns) => columns[9] ?? []);
}

function describeProcess(pid: string): string {
  const [program = ''] = readText(`/proc/${pid}/cmdline`).split('\0');
  const command = basename(program);
  return command === '' ? `process ${pid}` : `process ${pid} (${command})`;
}

// A process may end, or belong to somebody else, while we look: both mean "not known".
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function readDirectory(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
