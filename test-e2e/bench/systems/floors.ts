import { join } from 'node:path';
import { makeDirectory } from '../../support/temporary-directory';
import { SYSTEM_CORE, startOnCore, stop } from '../processes';
import { type BenchSystem, CHAT_PATH, programOf } from './system';

type Environment = Readonly<Record<string, string>>;

const LISTENING = /listening (\d+)/;
const urlOf = (port: string | undefined) => `http://127.0.0.1:${port}${CHAT_PATH}`;

/** Nothing between the load and the vendor: what is there without any gateway. */
export async function startVendorAlone(vendorUrl: string): Promise<BenchSystem> {
  return { url: `${vendorUrl}${CHAT_PATH}`, headers: {}, processes: [], stop: async () => {} };
}

/** R of the result page: passes bytes on and does nothing else. */
export async function startPassThrough(
  vendorUrl: string,
  environment: Environment,
): Promise<BenchSystem> {
  const args = [programOf('pass-through'), vendorUrl];
  const { match, process } = await startOnCore(SYSTEM_CORE, args, LISTENING, environment);
  return {
    url: urlOf(match[1]),
    headers: {},
    processes: [{ name: 'pass-through', process }],
    stop: () => stop(process),
  };
}

/** Two processes and a session of packages/rpc between them, and nothing else. */
export async function startHop(vendorUrl: string, environment: Environment): Promise<BenchSystem> {
  const directory = makeDirectory();
  const address = `unix:${join(directory.path, 'hop.sock')}`;
  const program = programOf('session-hop');
  const start = (args: readonly string[], ready: RegExp) =>
    startOnCore(SYSTEM_CORE, [program, ...args], ready, environment);
  const far = await start(['serve', address, vendorUrl], /listening/);
  const edge = await start(['edge', address], LISTENING);
  return {
    url: urlOf(edge.match[1]),
    headers: {},
    processes: [
      { name: 'edge', process: edge.process },
      { name: 'far side', process: far.process },
    ],
    async stop() {
      await stop(edge.process);
      await stop(far.process);
      directory.remove();
    },
  };
}
