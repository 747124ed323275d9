import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = fs.mkdtempSync(join(tmpdir(), 'tg-lock-'));
const lock = join(folder, 'preparing.lock');
jest.doMock('../../bootstrap/paths.cjs', () => ({ TOOLCHAIN: folder }));
const { tryLock } = require('../../bootstrap/lock.cjs') as { tryLock(): boolean };

beforeEach(leaveLock);
afterEach(() => {
  jest.restoreAllMocks();
  fs.rmSync(lock, { force: true });
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

/** As a process leaves it that is killed while it prepares. */
function leaveLock(): void {
  const { pid } = spawnSync(process.execPath, ['--version']);
  fs.writeFileSync(lock, String(pid));
}

test('a lock that was left is taken, and by one alone', () => {
  expect([tryLock(), tryLock(), tryLock()]).toEqual([false, true, false]);
});

/** Does something else first, the first time. */
function beforeKill(act: () => void): void {
  jest.spyOn(process, 'kill').mockImplementationOnce((...input) => {
    act();
    return process.kill(...input);
  });
}

function beforeRemoval(act: () => void): void {
  jest.spyOn(fs, 'rmSync').mockImplementationOnce((...input) => {
    act();
    fs.rmSync(...input);
  });
}

test.each([
  ['looks whether it was left', beforeKill],
  ['removes it', beforeRemoval],
])('a lock that others try to take while one %s is taken by one alone', (_what, before) => {
  const got: boolean[] = [];
  before(() => got.push(tryLock(), tryLock()));
  got.push(tryLock(), tryLock());
  expect(got).toHaveLength(4);
  expect(got.filter(Boolean)).toHaveLength(1);
  expect(fs.existsSync(lock)).toBe(true);
});

test('a process that was killed while it removed a lock keeps nobody out', () => {
  fs.copyFileSync(lock, `${lock}.removal`);
  expect([tryLock(), tryLock(), tryLock()]).toEqual([false, false, true]);
  expect(fs.readdirSync(folder)).toEqual(['preparing.lock']);
});
