import { AppError, type Clock, type Logger, type Timer } from '@tollgate/core';
import type {
  CompletionCall,
  CompletionClient,
  CompletionListener,
  StreamOutcome,
} from './completion-client';
import { rankByRendezvous } from './rendezvous';

/** What a pool of completion instances needs. */
export interface CompletionPoolOptions {
  /** The addresses that exist now; asked again every `resolveIntervalMs`. */
  readonly resolve: () => Promise<readonly string[]>;
  readonly connect: (address: string) => CompletionClient;
  readonly resolveIntervalMs: number;
  /** Requests of this gateway that one instance carries before others are asked. */
  readonly inFlightMax: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** All completion instances behind the same port as one. */
export interface CompletionPool extends CompletionClient {
  /** Resolves once the addresses are known. Keeps trying in the background when they are not. */
  start(): Promise<void>;
  readonly instanceCount: number;
}

interface Instance {
  readonly address: string;
  readonly client: CompletionClient;
  inFlight: number;
  /** An instance that just failed is asked last until then. */
  suspectUntilMs: number;
}

const SUSPECT_MS = 1000;
const RETIRE_DRAIN_MS = 600_000;

/**
 * Sends an account's requests to one instance, so that its credit is not stranded in many leases,
 * and to the next in its order when the first carries too much or just failed.
 */
export function createCompletionPool(options: CompletionPoolOptions): CompletionPool {
  const { clock, logger } = options;
  let instances: readonly Instance[] = [];
  let timer: Timer | undefined;
  let closed = false;

  const update = (addresses: readonly string[]) => {
    const known = new Map(instances.map((instance) => [instance.address, instance]));
    const next = addresses.map(
      (address): Instance =>
        known.get(address) ?? {
          address,
          client: options.connect(address),
          inFlight: 0,
          suspectUntilMs: 0,
        },
    );
    instances = next;
    for (const old of known.values()) {
      if (!next.includes(old)) retire(old, logger);
    }
  };
  const refresh = async () => {
    try {
      const addresses = await options.resolve();
      if (!closed && addresses.length > 0) update(addresses);
    } catch (error) {
      logger.warn({ error }, 'completion addresses could not be resolved; keeping the known ones');
    }
    if (!closed) timer = clock.schedule(options.resolveIntervalMs, () => void refresh());
  };
  const pick = (accountId: string): Instance => {
    const nowMs = clock.monotonicMs();
    const free = rankByRendezvous(instances, accountId).filter(
      (instance) => instance.inFlight < options.inFlightMax,
    );
    const chosen = free.find((instance) => instance.suspectUntilMs <= nowMs) ?? free[0];
    if (chosen !== undefined) return chosen;
    throw new AppError('SERVICE_UNAVAILABLE', {
      internalMessage: `no completion instance takes more (${instances.length} known)`,
    });
  };
  const failed = (instance: Instance, error: unknown) => {
    if (error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE') {
      instance.suspectUntilMs = clock.monotonicMs() + SUSPECT_MS;
    }
  };

  return {
    start: refresh,
    get instanceCount() {
      return instances.length;
    },
    ...createCalls(pick, failed),
    async drain(deadlineMs) {
      await Promise.all(instances.map((instance) => instance.client.drain(deadlineMs)));
    },
    close() {
      closed = true;
      timer?.cancel();
      for (const instance of instances) instance.client.close();
    },
  };
}

function createCalls(
  pick: (accountId: string) => Instance,
  failed: (instance: Instance, error: unknown) => void,
): Pick<CompletionClient, 'complete' | 'stream' | 'explain'> {
  return {
    complete(input, call: CompletionCall) {
      const instance = pick(call.accountId);
      const pending = instance.client.complete(input, call);
      instance.inFlight += 1;
      const answer = pending.answer.then(
        (result) => {
          instance.inFlight -= 1;
          return result;
        },
        (error: unknown) => {
          instance.inFlight -= 1;
          failed(instance, error);
          throw error;
        },
      );
      return { answer, cancel: pending.cancel };
    },
    stream(input, call, listener: CompletionListener) {
      const instance = pick(call.accountId);
      const running = instance.client.stream(input, call, {
        onHead: (head) => listener.onHead(head),
        onChunk: (choices) => listener.onChunk(choices),
        onEnd(outcome: StreamOutcome) {
          instance.inFlight -= 1;
          if (!outcome.ok) failed(instance, outcome.error);
          listener.onEnd(outcome);
        },
      });
      instance.inFlight += 1;
      return running;
    },
    explain: async (input, call) => pick(call.accountId).client.explain(input, call),
  };
}

/** An address that is gone may still finish what it carries. */
function retire(instance: Instance, logger: Logger): void {
  logger.info({ address: instance.address }, 'completion instance left');
  instance.client
    .drain(RETIRE_DRAIN_MS)
    .finally(() => instance.client.close())
    .catch((error: unknown) => logger.warn({ error }, 'completion client could not be drained'));
}
