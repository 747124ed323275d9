import { spawn } from 'node:child_process';
import { Socket } from 'node:net';

/**
 * Tells a watchdog that there is nothing left to do. Until then it does what we can no longer do when
 * something ends us: a test run that dies leaves no process and no directory.
 */
export type Release = () => void;

/** Kills the process by its id as soon as we are gone. */
export function killWithUs(pid: number): Release {
  return startWatchdog('kill -9 "$1"', String(pid));
}

/** Removes the directory once we are gone, after the processes that may still write there. */
export function removeWithUs(path: string): Release {
  return startWatchdog('sleep 1; rm -rf "$1"', path);
}

/** A shell that waits for a line from us: what it reads instead when we are gone is the end. */
function startWatchdog(work: string, subject: string): Release {
  const watchdog = spawn('sh', ['-c', `read -r _ || { ${work}; }`, 'watchdog', subject], {
    // Its own group: what a terminal sends to ours must not end the watchdog first.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watchdog.on('error', () => undefined);
  watchdog.unref();
  const { stdin } = watchdog;
  stdin.on('error', () => undefined);
  if (stdin instanceof Socket) stdin.unref();
  return () => void stdin.end('done\n');
}

/**
 * Ends a process that outlives us, and removes its directory, once its owner is gone. It is known
 * by the directory in which it works: by then its id may be a stranger's.
 */
export function endWithOwner(owner: number, pid: number, directory: string): void {
  const script = [
    'while kill -0 "$1" 2>/dev/null; do sleep 1; done',
    '[ "$(readlink "/proc/$2/cwd")" = "$3" ] && kill -9 "$2"',
    'rm -rf "$3"',
  ].join('\n');
  const args = ['-c', script, 'watchdog', String(owner), String(pid), directory];
  spawn('sh', args, { detached: true, stdio: 'ignore' }).unref();
}
