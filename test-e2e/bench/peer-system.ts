import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findQuietPort } from '../support/free-port';
import { REPOSITORY } from '../support/repository';
import { STACK_CORE, startOnCore, stop } from './processes';
import type { BenchSystem } from './systems';

const DIRECTORY = join(REPOSITORY, '.cache/bench/portkey');
const PACKAGE = {
  name: 'peer',
  private: true,
  dependencies: { '@portkey-ai/gateway': '1.15.2' },
  // Newer ones break its streams.
  overrides: { hono: '4.9.7', '@hono/node-server': '1.13.5' },
};

/** P of the result page: Portkey's gateway from npm, features off. Installed at the first use. */
export async function startPeer(vendorUrl: string): Promise<BenchSystem> {
  const main = join(DIRECTORY, 'node_modules/@portkey-ai/gateway/build/start-server.js');
  if (!existsSync(main)) install();
  const port = await findQuietPort();
  const args = [main, '--headless', `--port=${port}`];
  const { process: started } = await startOnCore(STACK_CORE, args, /Ready for connections/, {
    TRUSTED_CUSTOM_HOSTS: '127.0.0.1',
  });
  return {
    url: `http://127.0.0.1:${port}/v1/chat/completions`,
    headers: {
      authorization: 'Bearer none',
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': `${vendorUrl}/v1`,
    },
    processes: [started],
    stop: () => stop(started),
  };
}

function install(): void {
  mkdirSync(DIRECTORY, { recursive: true });
  writeFileSync(join(DIRECTORY, 'package.json'), JSON.stringify(PACKAGE));
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts'];
  execFileSync('npm', args, { cwd: DIRECTORY, stdio: 'ignore' });
}
