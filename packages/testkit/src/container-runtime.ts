import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Environment, readEnvironment } from '@tollgate/config';

const PING_TIMEOUT_MS = 2_000;

/** Whether containers can be started here. */
export type ContainerVerdict =
  | { readonly answers: true }
  | { readonly answers: false; readonly reason: string };

// Runs in a process of its own, because jest wants to know which tests exist before any promise
// can settle.
const PING = `
  const target = process.argv[1];
  const where = target.startsWith('unix://')
    ? { socketPath: target.slice('unix://'.length) }
    : { host: new URL(target).hostname, port: new URL(target).port };
  require('node:http')
    .get({ ...where, path: '/_ping' }, (answer) => process.exit(answer.statusCode === 200 ? 0 : 1))
    .on('error', () => process.exit(1));
`;

let verdict: ContainerVerdict | undefined;

/** Asks the container engine once per process, for at most two seconds. */
export function checkContainerRuntime(): ContainerVerdict {
  verdict ??= check(readEnvironment());
  return verdict;
}

function check(environment: Environment): ContainerVerdict {
  if (environment.TOLLGATE_TEST_CONTAINERS === 'off') {
    return { answers: false, reason: 'TOLLGATE_TEST_CONTAINERS is off' };
  }
  const targets = candidates(environment);
  if (targets.length === 0) return { answers: false, reason: 'there is no container engine' };
  for (const target of targets) {
    try {
      execFileSync(process.execPath, ['-e', PING, target], {
        stdio: 'ignore',
        timeout: PING_TIMEOUT_MS,
      });
      return { answers: true };
    } catch {
      // The next candidate may answer.
    }
  }
  return { answers: false, reason: `no container engine answers at ${targets.join(', ')}` };
}

function candidates(environment: Environment): readonly string[] {
  const named = environment.DOCKER_HOST;
  if (named !== undefined && named !== '') {
    return /^(unix|tcp|http):\/\//.test(named) ? [named] : [];
  }
  const runtimeDirectory = environment.XDG_RUNTIME_DIR;
  const sockets = ['/var/run/docker.sock', join(homedir(), '.docker/run/docker.sock')];
  if (runtimeDirectory) sockets.push(join(runtimeDirectory, 'docker.sock'));
  return sockets.filter((path) => existsSync(path)).map((path) => `unix://${path}`);
}
