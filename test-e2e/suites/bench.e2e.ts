import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programOf } from '../bench/systems/system';
import { STREAMED, WHOLE } from '../bench/test-bed';
import { REPOSITORY, RUN_TYPESCRIPT } from '../support/repository';
import { runCommand } from '../support/run-command';
import { type RunningProcess, startProcess } from '../support/running-process';
import { makeDirectory } from '../support/temporary-directory';

jest.setTimeout(120_000);

const LISTENING = /listening (\d+)/;
const directory = makeDirectory();
const started: RunningProcess[] = [];
let vendorUrl: string;

async function start(program: string, args: readonly string[], ready: RegExp) {
  const options = { directory: REPOSITORY, environment: {} };
  const running = startProcess(process.execPath, [programOf(program), ...args], options);
  started.push(running);
  const [, port] = await running.waitForOutput(ready, 30_000);
  return `http://127.0.0.1:${port}`;
}

async function ask(baseUrl: string, body: string): Promise<string> {
  const answer = await fetch(`${baseUrl}/v1/chat/completions`, { method: 'POST', body });
  expect(answer.status).toBe(200);
  return createHash('sha256')
    .update(Buffer.from(await answer.arrayBuffer()))
    .digest('hex');
}

beforeAll(async () => {
  vendorUrl = await start('vendor', [], LISTENING);
});
afterAll(async () => {
  for (const running of started) running.signal('SIGTERM');
  await Promise.all(started.map(({ exited }) => exited));
  directory.remove();
});

test.each([
  ['the pass-through', () => start('pass-through', [vendorUrl], LISTENING)],
  ['the bare hop', startHop],
])('%s that Tollgate is measured beside answers as the vendor does', async (_name, begin) => {
  const baseUrl = await begin();
  for (const body of [WHOLE, STREAMED]) {
    expect(await ask(baseUrl, body)).toBe(await ask(vendorUrl, body));
  }
});

test('the load at a fixed rate sends the first request at once, and none too many', async () => {
  const plan = {
    url: `${vendorUrl}/v1/chat/completions`,
    headers: {},
    bodies: [WHOLE],
    expected: [200],
    connections: 2,
    perSecond: 10,
    seconds: 0.1,
    graceMs: 10_000,
  };
  const file = join(directory.path, 'plan.json');
  writeFileSync(file, JSON.stringify(plan));
  const args = [programOf('client'), file];
  const printed = await runCommand(process.execPath, args, { timeoutMs: 30_000 });
  expect(printed).toMatch(/^RESULT \{"requests":1,/m);
});

test('the choice of a channel is timed for each way to name a model', async () => {
  const args = [programOf('choose'), '2'];
  const printed = await runCommand(process.execPath, args, { timeoutMs: 30_000 });
  const found = JSON.parse(printed) as object;
  expect(Object.keys(found)).toEqual(['model-7', 'auto', 'auto-cheap', 'auto-fast']);
});

test('the bench loads every part, and says what each is about', async () => {
  const program = [RUN_TYPESCRIPT, join(REPOSITORY, 'test-e2e/bench/cli.ts')];
  const help = await runCommand(process.execPath, [...program, '--help'], { timeoutMs: 30_000 });
  for (const part of ['speed', 'tails', 'limits', 'start'])
    expect(help).toMatch(RegExp(`^  ${part} `, 'm'));
});

async function startHop(): Promise<string> {
  const address = `unix:${join(directory.path, 'hop.sock')}`;
  await start('session-hop', ['serve', address, vendorUrl], /listening/);
  return start('session-hop', ['edge', address], LISTENING);
}
