import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createSocketDirectory } from './socket-directory';

let directory: string;
let record: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sockets-'));
  record = join(directory, 'sockets');
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});

test('sockets have short paths that only the owner can reach', () => {
  const sockets = createSocketDirectory(record);
  const path = sockets.socket('completion');
  expect(path.length).toBeLessThan(104);
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  sockets.remove();
  expect(existsSync(dirname(path))).toBe(false);
});

test('what a killed process left is removed at the next start', () => {
  const left = dirname(createSocketDirectory(record).socket('a'));
  const sockets = createSocketDirectory(record);
  expect(existsSync(left)).toBe(false);
  sockets.remove();
});

test('what belongs to another process that runs stays', () => {
  const ofOther = mkdtempSync(join(tmpdir(), `tollgate-${process.ppid}-`));
  writeFileSync(record, ofOther);
  createSocketDirectory(record).remove();
  expect([existsSync(ofOther), readFileSync(record, 'utf8')]).toEqual([true, ofOther]);
  rmSync(ofOther, { recursive: true });
});

test('nothing but our own kind of directory is ever removed', () => {
  const precious = join(directory, 'tollgate-precious');
  mkdirSync(precious);
  writeFileSync(record, precious);
  createSocketDirectory(record).remove();
  expect(existsSync(precious)).toBe(true);
});
