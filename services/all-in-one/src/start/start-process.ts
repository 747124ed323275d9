import { type Environment, shared } from '@tollgate/config';
import { delay } from '@tollgate/core';
import type { StoreThread } from '@tollgate/embedded-mongo';
import {
  createHost,
  type RunnableHost,
  runService,
  type StartedProcess,
} from '@tollgate/lifecycle';
import { composeProcess } from './compose';
import { DATA_FILES, type DataDirectory, openDataDirectory } from './data-directory';
import { embeddedAdditions, isGiven } from './embedded-environment';
import { embeddedStoreUri, STORE_SOCKET } from './embedded-store';
import { formatCard } from './first-start-card';
import { generatePassword, loadGeneratedSecrets, storeGeneratedSecrets } from './generated-secrets';
import type { StartPlan } from './plan';
import { describeTakenPort } from './port-check';
import { createSocketDirectory, type SocketDirectory } from './socket-directory';

const READY_WAIT_MS = 10_000;
const READY_POLL_MS = 20;

/** Resources of a start, given back when the process stops. */
interface Holdings {
  readonly data: DataDirectory | undefined;
  sockets: SocketDirectory | undefined;
}

/**
 * Runs what the plan says until a signal ends the process, with the store's thread when one was
 * started already. Throws when it cannot even begin.
 */
export async function startProcess(
  plan: StartPlan,
  environment: Environment,
  thread: StoreThread | undefined,
): Promise<void> {
  const holdings: Holdings = { data: takeDataDirectory(plan), sockets: undefined };
  const release = () => {
    holdings.sockets?.remove();
    holdings.data?.release();
  };
  try {
    await requireFreePorts(plan);
    const host = createHost(processName(plan), plan.hostConfig);
    for (const sentence of plan.unknownNames) host.logger.warn({}, sentence);
    const onStopped = release;
    if (holdings.data === undefined || !plan.isWholeProduct) {
      const composed = composeProcess({ plan, host, environment, store: undefined });
      await runService(host, composed.modules, { onStopped });
      return;
    }
    const { data } = holdings;
    await startWholeProduct({ plan, environment, thread, host, data, holdings, onStopped });
  } catch (error) {
    release();
    throw error;
  }
}

interface WholeProductStart {
  readonly plan: StartPlan;
  readonly environment: Environment;
  readonly thread: StoreThread | undefined;
  readonly host: RunnableHost;
  readonly data: DataDirectory;
  readonly holdings: Holdings;
  readonly onStopped: () => void;
}

async function startWholeProduct(start: WholeProductStart): Promise<void> {
  const { plan, environment, thread, host, data, holdings, onStopped } = start;
  const dataPath = data.file(DATA_FILES.store);
  const secretsPath = data.file(DATA_FILES.secrets);
  const secrets = loadGeneratedSecrets(secretsPath, () => !data.has(DATA_FILES.store));
  const operatorPassword = secrets.operatorPassword ?? generatePassword();
  const sockets = createSocketDirectory(data.file(DATA_FILES.sockets));
  holdings.sockets = sockets;
  const socketPath = sockets.socket(STORE_SOCKET);
  const additions = embeddedAdditions(environment, {
    ...secrets,
    operatorPassword,
    mongodbUri: embeddedStoreUri(socketPath),
    socket: (service) => sockets.socket(service),
  });
  const store = isGiven(environment, 'MONGODB_URI') ? undefined : { dataPath, socketPath, thread };
  const complete = { ...environment, ...additions };
  const composed = composeProcess({ plan, host, environment: complete, store });
  const usesOurPassword = !isGiven(environment, shared.initOperatorPassword.name);
  const onStarted = async ({ isReady }: StartedProcess) => {
    await untilReady(host, isReady);
    const { config } = plan;
    const publicUrl = composed.publicUrl() ?? `http://${config.bind}:${config.httpPort}`;
    // A crash between making the operator and this line leaves a password that nobody has seen.
    const unseen = store !== undefined && secrets.operatorPassword !== undefined;
    const made =
      composed.firstStart() ?? (unseen ? { email: config.initOperatorEmail } : undefined);
    const password = usesOurPassword ? operatorPassword : undefined;
    const firstStart = made === undefined ? undefined : { ...made, password };
    const vendors = composed.vendors();
    const namesDirectory = isGiven(environment, shared.dataDirectory.name);
    const operatorEmail = config.initOperatorEmail;
    const where = { publicUrl, dataDirectory: data.path, namesDirectory };
    const card = { ...where, vendors, operatorEmail, firstStart };
    process.stdout.write(formatCard(card));
    // From here on the password exists only as a digest.
    if (secrets.operatorPassword === undefined) return;
    storeGeneratedSecrets(secretsPath, { ...secrets, operatorPassword: undefined });
  };
  await runService(host, composed.modules, { onStarted, onStopped });
}

/** Waits a moment, so that the line on the card works when it is pasted at once. */
async function untilReady({ clock }: RunnableHost, isReady: () => boolean): Promise<void> {
  const endMonotonicMs = clock.monotonicMs() + READY_WAIT_MS;
  while (!isReady() && clock.monotonicMs() < endMonotonicMs) await delay(clock, READY_POLL_MS);
}

function takeDataDirectory(plan: StartPlan): DataDirectory | undefined {
  if (!plan.isWholeProduct && !runs(plan, 'completion')) return undefined;
  return openDataDirectory(plan.config.dataDirectory);
}

async function requireFreePorts(plan: StartPlan): Promise<void> {
  const { bind } = plan.hostConfig;
  const wanted = [{ bind, port: plan.hostConfig.adminPort, variable: shared.adminPort.name }];
  if (runs(plan, 'gateway')) {
    wanted.unshift({ bind, port: plan.config.httpPort, variable: shared.httpPort.name });
  }
  for (const port of wanted) {
    const problem = await describeTakenPort(port);
    if (problem !== undefined) throw new Error(problem);
  }
}

function runs({ targets }: StartPlan, name: string): boolean {
  return targets.some(({ target }) => target.name === name);
}

function processName({ targets }: StartPlan): string {
  const [only] = targets;
  return targets.length === 1 && only !== undefined ? only.target.name : 'tollgate';
}
