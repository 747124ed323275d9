import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
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
