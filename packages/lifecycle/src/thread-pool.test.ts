import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Five threads wait for the writer of a pipe that never comes; whether a file can still be seen
 * tells that there are more of them. The pipes are opened in the end, so that the process can go.
 */
const PROGRAM = `
  const { sizeThreadPool } = require(process.argv[1]);
  const { constants, open, openSync, stat } = require('node:fs');
  sizeThreadPool();
  const pipes = process.argv.slice(2);
  require('node:child_process').execFileSync('mkfifo', pipes);
  for (const pipe of pipes) open(pipe, 'r', () => {});
  stat('.', () => {
    process.stdout.write('looked');
    for (const pipe of pipes) openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  });
`;

it('files are used although more look-ups are slow than Node has threads by default', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tg-pool-'));
  try {
    const pipes = Array.from({ length: 5 }, (_, index) => join(directory, `pipe-${index}`));
    const { UV_THREADPOOL_SIZE: _, ...env } = process.env;
    const module = require.resolve('../dist/thread-pool.js');
    const run = spawnSync(process.execPath, ['-e', PROGRAM, module, ...pipes], {
      env,
      timeout: 20_000,
      killSignal: 'SIGKILL',
      encoding: 'utf8',
    });
    expect(run.stdout).toBe('looked');
  } finally {
    rmSync(directory, { recursive: true });
  }
});
