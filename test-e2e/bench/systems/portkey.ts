import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findQuietPort } from '../../support/network/free-port';
import { REPOSITORY } from '../../support/repository';
import { SYSTEM_CORE, startOnCore, stop } from '../processes';
import { type BenchSystem, CHAT_PATH } from './system';

const DIRECTORY = join(REPOSITORY, '.cache/bench/portkey');
/** P of the result page. */
export const PORTKEY_VERSION = '1.15.2';
const PACKAGE = {
  name: 'portkey',
  private: true,
  dependencies: { '@portkey-ai/gateway': PORTKEY_VERSION },
  // Newer ones break its streams.
  overrides: { hono: '4.9.7', '@hono/node-server': '1.13.5' },
};

/** Portkey's gateway from npm, features off. Installed at the first use. */
export async function startPortkey(
  vendorUrl: string,
  environment: Readonly<Record<string, string>>,
): Promise<BenchSystem> {
  const main = join(DIRECTORY, 'node_modules/@portkey-ai/gateway/build/start-server.js');
  if (!existsSync(main)) install();
  const port = await findQuietPort();
  const args = [main, '--headless', `--port=${port}`];
  const { process } = await startOnCore(SYSTEM_CORE, args, /Ready for connections/, {
    TRUSTED_CUSTOM_HOSTS: '127.0.0.1',
    ...environment,
  });
  return {
    url: `http://127.0.0.1:${port}${CHAT_PATH}`,
    headers: {
      authorization: 'Bearer none',
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': `${vendorUrl}/v1`,
    },
    processes: [{ name: 'portkey', process }],
    stop: () => stop(process),
  };
}

function install(): void {
  mkdirSync(DIRECTORY, { recursive: true });
  writeFileSync(join(DIRECTORY, 'package.json'), JSON.stringify(PACKAGE));
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts'];
  execFileSync('npm', args, { cwd: DIRECTORY, stdio: 'ignore' });
}
