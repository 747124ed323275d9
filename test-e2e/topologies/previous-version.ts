import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../support/repository';
import { runCommand } from '../support/run-command';

/**
 * The version that this one is upgraded from, 0.1.0. A release puts its own commit here when it is
 * made, and its contracts in `protos/descriptor.binpb`.
 */
export const PREVIOUS_VERSION = '76f3ccd1';

const WORKSPACES = ['packages', 'services'];
const MODULES = 'node_modules';
const STEP_TIMEOUT_MS = 120_000;

/** False in a clone whose history does not reach back so far. */
export function hasPreviousVersion(): boolean {
  const args = ['-C', REPOSITORY, 'cat-file', '-e', `${PREVIOUS_VERSION}^{commit}`];
  return spawnSync('git', args, { stdio: 'ignore' }).status === 0;
}

/**
 * Builds the previous version in the directory and answers its program. It runs on the packages that
 * are installed here: what differs between the versions is our own code.
 */
export async function buildPreviousVersion(directory: string): Promise<string> {
  const run = (program: string, args: readonly string[]) =>
    runCommand(program, args, { timeoutMs: STEP_TIMEOUT_MS });
  const archive = join(directory, 'tree.tar');
  const tree = join(directory, 'tree');
  await run('git', ['-C', REPOSITORY, 'archive', '--output', archive, PREVIOUS_VERSION]);
  mkdirSync(tree);
  await run('tar', ['-xf', archive, '-C', tree]);
  linkPackages(tree);
  await run(process.execPath, [join(tree, 'packages/tooling/bootstrap/bundle.mjs')]);
  return join(tree, 'services/all-in-one/dist/main.js');
}

/** Links lead from a member to its neighbours in the same tree, and to what is installed here. */
function linkPackages(tree: string): void {
  symlinkSync(join(REPOSITORY, MODULES), join(tree, MODULES));
  const members = WORKSPACES.flatMap((folder) =>
    readdirSync(join(tree, folder)).map((name) => join(folder, name)),
  );
  for (const member of ['protos', ...members]) {
    const installed = join(REPOSITORY, member, MODULES);
    if (!existsSync(installed)) continue;
    cpSync(installed, join(tree, member, MODULES), { recursive: true, verbatimSymlinks: true });
  }
}
