import { readEnvironment } from '@tollgate/config';
import { sizeThreadPool } from '@tollgate/lifecycle';
import { runCli } from './commands/cli';

// Whatever this process writes is for nobody else on the machine.
process.umask(0o077);
// The pool is made at its first use.
sizeThreadPool();

// The parent process is gone when its channel closes, even after kill -9: stop as well.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// Watching must not keep a process alive that has nothing else to do.
process.channel?.unref();

// A reader that goes away (a closed pipe) must not take the service down.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const streams = {
  out: (text: string) => void process.stdout.write(text),
  error: (text: string) => void process.stderr.write(text),
  terminalWidth: process.stdout.columns,
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
