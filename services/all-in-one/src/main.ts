import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Whatever this process writes is for nobody else on the machine.
process.umask(0o077);
// Compiled code is kept between starts; this must come before anything else is loaded.
enableCompileCache(join(__dirname, '../../../.cache/compiled'));

const { readEnvironment } = require('@tollgate/config') as typeof import('@tollgate/config');
const { sizeThreadPool } = require('@tollgate/lifecycle') as typeof import('@tollgate/lifecycle');
// The pool is made at its first use.
sizeThreadPool();
const { runCli } = require('./commands/cli') as typeof import('./commands/cli');

// The parent process is gone when its channel closes, even after kill -9: stop as well.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// Watching must not keep a process alive that has nothing else to do.
process.channel?.unref();

// A reader that goes away (a closed pipe) must not take the service down.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const streams = {
  out: (text: string) => void process.stdout.write(text),
  error: (text: string) => void process.stderr.write(text),
};

runCli(process.argv.slice(2), readEnvironment(), streams).then(
  (exitCode) => {
    if (exitCode !== undefined) process.exitCode = exitCode;
  },
  (error: unknown) => {
    streams.error(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  },
);
