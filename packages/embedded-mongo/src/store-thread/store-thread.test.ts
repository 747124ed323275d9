import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compile } from '../testing/store-under-test';
import { createStoreThread } from './create-store-thread';

let directory: string;

beforeAll(compile, 120_000);

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'worker-'));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

const settings = () => ({
  dataPath: join(directory, 'store.sqlite'),
  listen: { socketPath: join(directory, 's.sock') },
});
const onFatal = (error: Error) => {
  throw error;
};

test('a store in a thread of its own answers, ends its process, and keeps what it has', () => {
  const program = join(__dirname, '../testing/use-store.cjs');
  const { dataPath, listen } = settings();
  const run = () =>
    execFileSync(process.execPath, [program, dataPath, listen.socketPath], { encoding: 'utf8' });
  expect([run(), run()]).toEqual(['0', '1']);
});

test('a data file that another store holds is refused with its reason', async () => {
  const first = await createStoreThread().open({ ...settings(), onFatal });
  const listen = { socketPath: join(directory, 'other.sock') };
  await expect(createStoreThread().open({ ...settings(), listen, onFatal })).rejects.toThrow(
    /store/,
  );
  await first.close();
});
