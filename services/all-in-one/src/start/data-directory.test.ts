import { spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataDirectory } from './data-directory';

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'data-directory-'));
});
afterEach(() => {
  rmSync(parent, { recursive: true });
});

test('the directory is made for its owner only', () => {
  const directory = openDataDirectory(join(parent, 'data'));
  expect(statSync(directory.path).mode & 0o777).toBe(0o700);
  directory.release();
});

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('a directory that was made beforehand, and all that it holds, becomes private', () => {
  const path = join(parent, 'data');
  mkdirSync(join(path, 'spool'), { recursive: true });
  for (const name of ['store.sqlite', 'store.sqlite-wal', 'spool/000001.log']) {
    writeFileSync(join(path, name), '');
    chmodSync(join(path, name), 0o644);
  }
  chmodSync(join(path, 'spool'), 0o755);
  chmodSync(path, 0o755);
  openDataDirectory(path).release();
  const modes = readdirSync(path, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => [name, modeOf(join(path, name))]);
  expect([['.', modeOf(path)], ...modes]).toEqual([
    ['.', '700'],
    ['lock', '600'],
    ['spool', '700'],
    ['spool/000001.log', '600'],
    ['store.sqlite', '600'],
    ['store.sqlite-wal', '600'],
  ]);
});

test('a directory with files of others, which others may read, is refused and left as it is', () => {
  const path = join(parent, 'home');
  mkdirSync(path);
  writeFileSync(join(path, 'notes.txt'), '');
  chmodSync(path, 0o755);
  chmodSync(join(path, 'notes.txt'), 0o644);
  expect(() => openDataDirectory(path)).toThrow(
    `the data directory ${path} can be read by other users and holds notes.txt, which is not ` +
      `Tollgate's: set TOLLGATE_DATA_DIR to a directory of its own, or run: chmod 700 ${path}`,
  );
  expect([modeOf(path), modeOf(join(path, 'notes.txt')), readdirSync(path)]).toEqual([
    '755',
    '644',
    ['notes.txt'],
  ]);
  chmodSync(path, 0o700);
  openDataDirectory(path).release();
  expect(modeOf(join(path, 'notes.txt'))).toBe('644');
});

/** Runs as a user whom modes bind, which they do not for root. */
function asOrdinaryUser(run: () => void): void {
  if (process.geteuid?.() !== 0) {
    run();
    return;
  }
  chmodSync(parent, 0o755);
  process.seteuid?.(65_534);
  try {
    run();
  } finally {
    process.seteuid?.(0);
  }
}

test('a directory that cannot be written is named, with what to do', () => {
  const path = join(parent, 'data');
  mkdirSync(path);
  chmodSync(path, 0o555);
  const remedy = 'give this user write access to it, or set TOLLGATE_DATA_DIR to another directory';
  asOrdinaryUser(() => {
    const cannotBeWritten = `the data directory ${path} cannot be written: ${remedy}`;
    expect(() => openDataDirectory(path)).toThrow(cannotBeWritten);
    const below = join(path, 'below');
    expect(() => openDataDirectory(below)).toThrow(`the data directory ${below} cannot be written`);
  });
  writeFileSync(join(parent, 'file'), '');
  expect(() => openDataDirectory(join(parent, 'file'))).toThrow(
    `the data directory ${join(parent, 'file')} is not a directory: set TOLLGATE_DATA_DIR`,
  );
});

test('two processes never share it, and the second is told who has it', async () => {
  const path = join(parent, 'data');
  openDataDirectory(path).release();
  // Another process holds the lock the way the service does.
  const script = `
    const { DatabaseSync } = require('node:sqlite');
    const { writeFileSync } = require('node:fs');
    const database = new DatabaseSync(process.argv[1] + '/lock');
    database.exec('BEGIN EXCLUSIVE');
    writeFileSync(process.argv[1] + '/lock.pid', String(process.pid));
    console.log('held');
    setInterval(() => {}, 1000);
  `;
  const holder = spawn(process.execPath, ['-e', script, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await new Promise((resolve) => holder.stdout.once('data', resolve));
    expect(() => openDataDirectory(path)).toThrow(
      `is in use by process ${holder.pid}: stop that process, or set TOLLGATE_DATA_DIR`,
    );
  } finally {
    const ended = new Promise((resolve) => holder.once('exit', resolve));
    holder.kill('SIGKILL');
    await ended;
  }
  // Nothing needs to be cleaned up after kill -9.
  openDataDirectory(path).release();
});

test('a released directory can be taken again', () => {
  const path = join(parent, 'data');
  openDataDirectory(path).release();
  openDataDirectory(path).release();
});
