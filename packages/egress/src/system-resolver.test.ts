import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSystemResolver } from './system-resolver';

let directory: string;
let hostsFile: string;
let server: Socket;
let servers: readonly string[];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tg-hosts-'));
  hostsFile = join(directory, 'hosts');
  writeFileSync(hostsFile, '127.0.0.1 localhost\n# 9.9.9.9 vendor\n10.0.0.7 Vendor.Local other\n');
  server = createSocket('udp4').bind(0, '127.0.0.1');
  await once(server, 'listening');
  servers = [`127.0.0.1:${server.address().port}`];
});

afterEach(() => {
  server.close();
  rmSync(directory, { recursive: true });
});

const NAME_UNKNOWN = 0x8183;

function sendAnswer(question: Buffer, peer: RemoteInfo): void {
  const answer = Buffer.from(question);
  answer.writeUInt16BE(NAME_UNKNOWN, 2);
  server.send(answer, peer.port, peer.address);
}

const lookUp = async () => [{ address: '10.1.1.1', family: 4 as const }];

it('answers names of the hosts file without asking anybody', async () => {
  const resolve = createSystemResolver({ hostsFile, servers, lookUp });
  expect(await resolve('vendor.local')).toEqual([{ address: '10.0.0.7', family: 4 }]);
  expect(await resolve('localhost')).toEqual([{ address: '127.0.0.1', family: 4 }]);
});

it('asks the operating system for a name that the name server does not know', async () => {
  server.on('message', sendAnswer);
  const resolve = createSystemResolver({ hostsFile, servers, lookUp });
  expect(await resolve('vendor')).toEqual([{ address: '10.1.1.1', family: 4 }]);
});

it('lets files be used while a name server is silent, however many names are looked up', async () => {
  const resolve = createSystemResolver({ hostsFile, servers, lookUp });
  const questions: (() => void)[] = [];
  let isAnswering = false;
  server.on('message', (question, peer) => {
    const answer = () => sendAnswer(question, peer);
    if (isAnswering) answer();
    else questions.push(answer);
  });
  const names = Array.from({ length: 16 }, (_, index) => resolve(`vendor-${index}.example`));
  await once(server, 'message');
  await expect(stat(hostsFile)).resolves.toBeDefined();
  isAnswering = true;
  for (const answer of questions) answer();
  await expect(Promise.all(names)).resolves.toHaveLength(16);
});
