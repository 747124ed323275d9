import {
  AppError,
  type Clock,
  createFairShare,
  type FairShare,
  hashText,
  type Logger,
} from '@tollgate/core';
import { repeat } from '@tollgate/jobs';
import {
  type ActiveRequests,
  type CompletionClient,
  type CompletionHandle,
  type ExplainCall,
  type InstanceState,
  NotBegunError,
  QueueFullError,
} from './client';

export interface CompletionPoolOptions {
  /** The addresses that exist now; asked again every `resolveIntervalMs`. */
  readonly resolve: () => Promise<readonly string[]>;
  readonly connect: (address: string) => CompletionClient;
  readonly resolveIntervalMs: number;
  /** Requests of this gateway that one instance carries. */
  readonly inFlightMax: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** All completion instances behind the same port as one. */
export interface CompletionPool extends CompletionClient {
  /** Resolves after the first look-up, whatever came of it; goes on looking in the background. */
  start(): Promise<void>;
  readonly instances: readonly InstanceState[];
  /** Completions that this gateway waits for. */
  readonly inFlight: number;
}

interface Instance {
  readonly address: string;
  readonly client: CompletionClient;
  /** What it carries, by account: one has as many as it leaves free, alone half. */
  readonly byAccount: FairShare;
  /** The same by the model that was asked for: one whose vendor hangs leaves the others a quarter. */
  readonly byModel: FairShare;
  /** An instance that just failed is asked last until then. */
  suspectUntilMs: number;
}

const MODEL_FACTOR = 3;
const SUSPECT_MS = 1000;
const LEFT_DRAIN_MS = 600_000;

/**
 * Sends an account's requests to one instance, so that its credit is not stranded in many leases,
 * and to the next in its order when the first carries too much of the account, of the model or in
 * all, or just failed.
 */
export function createCompletionPool(options: CompletionPoolOptions): CompletionPool {
  const { clock, logger } = options;
  let instances: readonly Instance[] = [];
  /** Gone addresses that finish what they carry. */
  const leaving = new Set<Instance>();
  /** Whoever carries something: those that leave too. */
  const carrying = () => [...instances, ...leaving];
  const closing = new AbortController();

  const update = (addresses: readonly string[]) => {
    const known = new Map(instances.map((instance) => [instance.address, instance]));
    const next = addresses.map(
      (address): Instance =>
        known.get(address) ?? {
          address,
          client: options.connect(address),
          byAccount: createFairShare(options.inFlightMax),
          byModel: createFairShare(options.inFlightMax, MODEL_FACTOR),
          suspectUntilMs: 0,
        },
    );
    instances = next;
    for (const old of known.values()) {
      if (next.includes(old)) continue;
      leaving.add(old);
      void drainAndClose(old, logger).finally(() => leaving.delete(old));
    }
  };
  const refresh = async () => {
    try {
      const addresses = await options.resolve();
      if (!closing.signal.aborted && addresses.length > 0) update(addresses);
    } catch (error) {
      logger.warn({ error }, 'completion addresses could not be resolved; keeping the known ones');
    }
  };
  const choose: Choose = ({ accountId, isReplay = false, model }, tried = []) => {
    const monotonicNowMs = clock.monotonicMs();
    const free = rankByRendezvous(instances, accountId).filter(
      (instance) =>
        (isReplay || instance.byAccount.hasRoom(accountId)) &&
        (model === undefined || instance.byModel.hasRoom(model)) &&
        !tried.includes(instance),
    );
    return (
      free.find(
        ({ client, suspectUntilMs }) => client.available && suspectUntilMs <= monotonicNowMs,
      ) ??
      free.find(({ client }) => client.available) ??
      free[0]
    );
  };
  return {
    async start() {
      await refresh();
      const work = {
        name: 'completion addresses',
        intervalMs: options.resolveIntervalMs,
        firstAfterMs: options.resolveIntervalMs,
        run: refresh,
      };
      void repeat(work, { clock, logger }, closing.signal);
    },
    get instances() {
      return instances.map(({ address, client }) => ({ address, available: client.available }));
    },
    get inFlight() {
      return carrying().reduce((sum, { byAccount }) => sum + byAccount.held, 0);
    },
    get available() {
      return instances.some(({ client }) => client.available);
    },
    ...createCalls(choose, clock),
    listActive: (sought, call) => listActive(carrying(), sought, call),
    async drain(deadlineMs) {
      await Promise.all(carrying().map((instance) => instance.client.drain(deadlineMs)));
    },
    close() {
      closing.abort();
      for (const instance of carrying()) instance.client.close();
    },
  };
}

/** Who asks an instance, and for what. */
interface Asked extends Pick<ExplainCall, 'accountId' | 'isReplay'> {
  /** Of a completion. */
  readonly model?: string;
}

/** The instance for an account, and for a model where one is asked, among those that were not tried. */
type Choose = (asked: Asked, tried?: readonly Instance[]) => Instance | undefined;

/** Another instance is asked only when the last one certainly began nothing. */
function createCalls(
  choose: Choose,
  clock: Clock,
): Pick<CompletionClient, 'countTokens' | 'defaultTimeouts' | 'explain' | 'open'> {
  const first = (asked: Asked): Instance => {
    const instance = choose(asked);
    if (instance !== undefined) return instance;
    const internalMessage = 'no completion instance takes more';
    throw new AppError('SERVICE_UNAVAILABLE', { internalMessage });
  };

  return {
    open(request, call, listener) {
      const { onHead, onChunk } = listener;
      const { accountId } = call;
      const { model } = request.input;
      let running: CompletionHandle;
      let cancelled = false;
      const ask = (instance: Instance, before: readonly Instance[]) => {
        running = instance.client.open(request, call, {
          onHead,
          onChunk,
          onEnd(end) {
            instance.byAccount.release(accountId);
            instance.byModel.release(model);
            // Suspected only if it began nothing for a reason of its own: not a cancelled request,
            // nor one too large for the queue. Otherwise other accounts would leave the instance
            // that holds their credit.
            if (end.kind === 'failed' && end.error instanceof NotBegunError) {
              if (!cancelled && !(end.error instanceof QueueFullError)) {
                instance.suspectUntilMs = clock.monotonicMs() + SUSPECT_MS;
              }
              const tried = [...before, instance];
              const other = cancelled ? undefined : choose({ accountId, model }, tried);
              if (other?.client.available) {
                ask(other, tried);
                return;
              }
            }
            listener.onEnd(end);
          },
        });
        instance.byAccount.take(accountId);
        instance.byModel.take(model);
      };
      ask(first({ accountId, model }), []);
      return {
        resume: () => running.resume(),
        cancel() {
          cancelled = true;
          running.cancel();
        },
      };
    },
    explain: async (request, call) => first(call).client.explain(request, call),
    countTokens: async (input, call) => first(call).client.countTokens(input, call),
    defaultTimeouts: async (call) => first(call).client.defaultTimeouts(call),
  };
}

/** Asks them all: any may carry a request of any account. */
async function listActive(
  instances: readonly Instance[],
  ...asked: Parameters<CompletionClient['listActive']>
): Promise<ActiveRequests> {
  const answers = await Promise.all(
    instances.map(({ address, client }) =>
      client
        .listActive(...asked)
        .catch(() => ({ requests: [], count: 0, reserved: 0n, silent: [address] })),
    ),
  );
  return {
    requests: answers
      .flatMap(({ requests }) => requests)
      .sort((a, b) => Number(a.startedAtMs - b.startedAtMs)),
    count: answers.reduce((sum, { count }) => sum + count, 0),
    reserved: answers.reduce((sum, { reserved }) => sum + reserved, 0n),
    silent: answers.flatMap(({ silent }) => silent),
  };
}

/** An address that is gone may still finish what it carries. */
function drainAndClose(instance: Instance, logger: Logger): Promise<void> {
  logger.info({ address: instance.address }, 'completion instance left');
  return instance.client
    .drain(LEFT_DRAIN_MS)
    .finally(() => instance.client.close())
    .catch((error: unknown) => logger.warn({ error }, 'completion client could not be drained'));
}

/**
 * The instances in the order in which `key` prefers them. Every gateway computes the same order,
 * and an instance that comes or goes moves only the keys that it wins or held.
 */
export function rankByRendezvous<Addressed extends { readonly address: string }>(
  instances: readonly Addressed[],
  key: string,
): readonly Addressed[] {
  if (instances.length < 2) return instances;
  return instances
    .map((instance) => ({ instance, weight: hash32(`${instance.address}|${key}`) }))
    .sort((a, b) => b.weight - a.weight)
    .map(({ instance }) => instance);
}

/** FNV-1a with a final mix, so that names that differ in one character spread evenly. */
function hash32(text: string): number {
  let hash = hashText(text);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
