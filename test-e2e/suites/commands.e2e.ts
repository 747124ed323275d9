import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApi } from '../support/api';
import { startProcess } from '../support/running-process';
import { makeDirectory } from '../support/temporary-directory';
import { type EmbeddedTollgate, startEmbedded } from '../topologies/embedded';

jest.setTimeout(120_000);

const REPOSITORY = join(__dirname, '../..');
const OLD_KEY = 'issued-before-v1-and-not-real';
const digestOf = (key: string) => createHash('sha256').update(key).digest('hex');

let tollgate: EmbeddedTollgate;
let directory: ReturnType<typeof makeDirectory>;

beforeAll(async () => {
  directory = makeDirectory();
  tollgate = await startEmbedded();
});

afterAll(async () => {
  directory?.remove();
  expect(await tollgate?.stop()).toBe(0);
});

async function command(args: readonly string[], environment: Record<string, string> = {}) {
  const main = join(REPOSITORY, 'services/all-in-one/dist/main.js');
  const running = startProcess(process.execPath, [main, ...args], {
    directory: REPOSITORY,
    environment: { TOLLGATE_DATA_DIR: tollgate.dataDirectory, ...environment },
  });
  const exitCode = await running.exited;
  return { exitCode, output: running.output() };
}

function linesFile(name: string, entries: readonly object[]): string {
  const path = join(directory.path, name);
  writeFileSync(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  return path;
}

const statusFor = async (key: string) =>
  (await createApi(tollgate.baseUrl, key).request('GET', '/v1/models')).status;

test('doctor finds the running product and its channel well', async () => {
  const told = { TOLLGATE_API_KEY: tollgate.apiKey };
  const doctor = await command(['doctor', '--url', tollgate.baseUrl], told);
  expect(doctor.exitCode).toBe(0);
  expect(doctor.output).toMatch(/^ok {7}API +answers at /m);
  expect(doctor.output).toMatch(/^ok {7}vendors +1 channels, 0 of them cut off/m);
});

test('the audit finds the books of a running product in order, and says what it needs', async () => {
  const told = { TOLLGATE_API_KEY: tollgate.apiKey };
  const audit = await command(['audit', '--url', tollgate.baseUrl], told);
  expect(audit).toMatchObject({ exitCode: 0 });
  expect(audit.output).toContain('The books balance.');
  const keyless = await command(['audit', '--url', tollgate.baseUrl]);
  expect(keyless).toMatchObject({ exitCode: 1 });
  expect(keyless.output).toContain('TOLLGATE_API_KEY');
});

test('keys issued before v1 are imported while the product runs, and work at once', async () => {
  const old = { account: 'Old Customer', name: 'old key', digest: digestOf(OLD_KEY) };
  const file = linesFile('keys.jsonl', [old, { ...old, digest: 'none' }]);
  const first = await command(['keys', 'import', file]);
  expect(first.output).toContain('1 imported, 0 already there, 1 refused');
  expect(first.output).toContain('line 2: digest must be');
  expect(first.exitCode).toBe(1);
  expect(await statusFor(OLD_KEY)).toBe(200);
  const again = await command(['keys', 'import', linesFile('again.jsonl', [old])]);
  expect(again).toMatchObject({ exitCode: 0 });
  expect(again.output).toContain('0 imported, 1 already there, 0 refused');
});

test('an import of many keys into a stopped product holds after its start', async () => {
  const stopped = tollgate.process;
  stopped.signal('SIGTERM');
  await stopped.exited;
  const entries = Array.from({ length: 150 }, (_, index) => ({
    account: `Customer ${index % 7}`,
    name: `key ${index}`,
    digest: digestOf(`${OLD_KEY}-${index}`),
  }));
  const imported = await command(['keys', 'import', linesFile('many.jsonl', entries)]);
  expect(imported.output).toContain('150 imported, 0 already there, 0 refused');
  await tollgate.restart();
  expect(await statusFor(`${OLD_KEY}-149`)).toBe(200);
  expect(await statusFor(`${OLD_KEY}-150`)).toBe(401);
});

test('an import refuses a file and a data directory that are not there', async () => {
  const nowhere = join(directory.path, 'nowhere');
  const noFile = await command(['keys', 'import', nowhere]);
  expect(noFile).toMatchObject({ exitCode: 1 });
  expect(noFile.output).toContain(`'${nowhere}'`);
  const noData = await command(['keys', 'import', linesFile('one.jsonl', [])], {
    TOLLGATE_DATA_DIR: nowhere,
  });
  expect(noData).toMatchObject({ exitCode: 1 });
  expect(noData.output).toContain('TOLLGATE_DATA_DIR');
});
