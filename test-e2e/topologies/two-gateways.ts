import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { findQuietPort } from '../support/network/free-port';
import { PRODUCT_MAIN, REPOSITORY } from '../support/repository';
import { STARTED, startProcess } from '../support/running-process';
import { makeDirectory } from '../support/temporary-directory';
import { isDistributed, startDistributed } from './distributed';
import { RPC_SERVICES } from './instances';
import { type RunningTollgate, startTollgate } from './start-tollgate';

const START_TIMEOUT_MS = 100_000;

/** The whole product in one process, and one more gateway in a process of its own. */
export interface TwoGateways {
  readonly first: RunningTollgate;
  readonly secondUrl: string;
  /** Ends the second gateway without a chance to tidy up. */
  killSecond(): Promise<void>;
  /** Answers the exit codes, the second gateway's first. */
  stop(): Promise<readonly (number | string)[]>;
}

/** Both speak to the same services, over sockets that only this test knows. */
export async function startTwoGateways(
  environment: Readonly<Record<string, string>> = {},
): Promise<TwoGateways> {
  if (isDistributed()) return startTwoSeparate(environment);
  const directory = makeDirectory();
  const meeting: Record<string, string> = {
    TOLLGATE_SERVICE_SECRET: randomBytes(32).toString('hex'),
  };
  for (const service of RPC_SERVICES) {
    const address = `unix:${join(directory.path, `${service}.sock`)}`;
    meeting[`${service.toUpperCase()}_LISTEN`] = address;
    meeting[`${service.toUpperCase()}_ADDRESS`] = address;
  }
  const first = await startTollgate({ ...environment, ...meeting });
  const port = await findQuietPort();
  const second = startProcess(process.execPath, [PRODUCT_MAIN], {
    directory: REPOSITORY,
    environment: {
      ...environment,
      ...meeting,
      TARGET: 'gateway',
      // Limits are not what this is about: each gateway counts for itself.
      TOLLGATE_SINGLE_GATEWAY: 'true',
      TOLLGATE_BIND: '127.0.0.1',
      TOLLGATE_HTTP_PORT: String(port),
      TOLLGATE_ADMIN_PORT: '0',
      TOLLGATE_SHUTDOWN_WAIT_MS: '0',
      // Nobody listens there: a gateway serves without a bus and keeps its counts of refusals.
      KAFKA_BROKERS: `127.0.0.1:${await findQuietPort()}`,
    },
  });
  const stop = async () => {
    second.signal('SIGTERM');
    const codes = [await second.exited, await first.stop()];
    directory.remove();
    return codes;
  };
  try {
    await second.waitForOutput(STARTED, START_TIMEOUT_MS);
  } catch (error) {
    await stop();
    throw error;
  }
  const secondUrl = `http://127.0.0.1:${port}`;
  const killSecond = async () => {
    second.signal('SIGKILL');
    await second.exited;
  };
  return { first, secondUrl, killSecond, stop };
}

/** The same with every service in a process of its own. */
async function startTwoSeparate(
  environment: Readonly<Record<string, string>>,
): Promise<TwoGateways> {
  const { tollgate, separate, stopAll } = await startDistributed(environment, { gateway: 2 });
  const [, secondUrl = ''] = separate.gatewayUrls;
  return {
    first: tollgate,
    secondUrl,
    killSecond: () => separate.kill('gateway-2'),
    async stop() {
      const { 'gateway-2': second = 'unknown', ...others } = await stopAll();
      return [second, Object.values(others).find((code) => code !== 0) ?? 0];
    },
  };
}
