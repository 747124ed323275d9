import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { RunningEngine, StartOptions } from '../engines/engine-process';
import { ENGINES } from '../engines/engines';
import { REPOSITORY } from '../support/repository';

const USAGE = `usage: npm run e2e:distributed -- [--replicated] [SUITE...]

  Runs the end-to-end suites, or those whose paths hold a SUITE, with separate services on Kafka,
  Redis and a MongoDB server, which it starts unless TOLLGATE_TEST_KAFKA, TOLLGATE_TEST_REDIS and
  TOLLGATE_TEST_MONGODB name running ones. With --replicated there are two or three of each service.
`;

const REPLICATED_FLAG = '--replicated';

/** The command line; sets the exit code. */
export async function run(args: readonly string[]): Promise<void> {
  if (args.includes('--help')) {
    process.stdout.write(USAGE);
    return;
  }
  const missing = Object.values(ENGINES).filter(({ variable }) => !process.env[variable]);
  const obstacles = missing.flatMap(({ obstacle }) => obstacle() ?? []);
  if (obstacles.length > 0) {
    process.stderr.write(`The engines cannot be had here: ${obstacles.join(', ')}.\n`);
    process.exitCode = 1;
    return;
  }
  // Whatever was started goes with us.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const options: StartOptions = { report: () => undefined, detached: false };
  const started = await Promise.all(
    missing.map(async ({ variable, start }): Promise<[string, RunningEngine]> => {
      return [variable, await start(options)];
    }),
  );
  try {
    process.exitCode = await runJest(args, {
      ...Object.fromEntries(started.map(([variable, { url }]) => [variable, url])),
      TOLLGATE_E2E_SUITES: 'all',
      TOLLGATE_E2E_REPLICATED: String(args.includes(REPLICATED_FLAG)),
    });
  } finally {
    await Promise.all(started.map(([, engine]) => engine.stop()));
  }
}

function runJest(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<number> {
  const suites = args.filter((arg) => arg !== REPLICATED_FLAG);
  const jest = join(REPOSITORY, 'node_modules/jest/bin/jest.js');
  // The suites before the option, which would take them for names of projects.
  const project = ['--selectProjects', 'distributed'];
  // Installations that share a Kafka share its consumer groups: one at a time.
  const command = [jest, ...suites, ...project, '--maxWorkers=1', '--forceExit'];
  const child = spawn(process.execPath, command, {
    cwd: REPOSITORY,
    env: { ...process.env, ...environment },
    stdio: 'inherit',
  });
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
