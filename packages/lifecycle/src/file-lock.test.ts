import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryDirectory, type TemporaryDirectory } from '@tollgate/testkit';
import { takeFileLock } from './file-lock';

let directory: TemporaryDirectory;
beforeEach(async () => {
  directory = await makeTemporaryDirectory('file-lock');
});
afterEach(() => directory.remove());

it('is held by one at a time, in a file that others cannot read', () => {
  const path = join(directory.path, 'lock');
  const lock = takeFileLock(path);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(takeFileLock(path)).toBeUndefined();
  lock?.release();
  takeFileLock(path)?.release();
});

it('tells a file that holds no lock, or that cannot be made, from one that another has', () => {
  const path = join(directory.path, 'lock');
  writeFileSync(path, 'this is no database and never was one'.repeat(100));
  expect(() => takeFileLock(path)).toThrow(
    `the lock ${path} cannot be taken: file is not a database`,
  );
  expect(() => takeFileLock(join(directory.path, 'missing', 'lock'))).toThrow('ENOENT');
});
