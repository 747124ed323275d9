import { AppError, type Clock, type Logger, type Timer, toAppError } from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import {
  type CompletionCall,
  type CompletionClient,
  type CompletionStream,
  NotBegunError,
  type PendingCompletion,
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
  const choose: Choose = (accountId, tried) => {
    const nowMs = clock.monotonicMs();
    const free = rankByRendezvous(instances, accountId).filter(
      (instance) => instance.inFlight < options.inFlightMax && !tried.includes(instance),
    );
    return (
      free.find(({ client, suspectUntilMs }) => client.available && suspectUntilMs <= nowMs) ??
      free.find(({ client }) => client.available) ??
      free[0]
    );
  };
  const failed: NoteFailure = (instance, error) => {
    // A refusal of one request (no channel, no credit) says nothing of the instance.
    if (error instanceof NotBegunError) {
      instance.suspectUntilMs = clock.monotonicMs() + SUSPECT_MS;
    }
  };

  return {
    start: refresh,
    get instanceCount() {
      return instances.length;
    },
    get available() {
      return instances.some(({ client }) => client.available);
    },
    ...createCalls(choose, failed),
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

/** The instance for an account among those that were not tried. */
type Choose = (accountId: string, tried: readonly Instance[]) => Instance | undefined;
type NoteFailure = (instance: Instance, error: AppError) => void;

/** Another instance is asked only when the last one certainly began nothing. */
function createCalls(
  choose: Choose,
  failed: NoteFailure,
): Pick<CompletionClient, 'complete' | 'stream' | 'explain'> {
  const first = (accountId: string): Instance => {
    const instance = choose(accountId, []);
    if (instance !== undefined) return instance;
    const internalMessage = 'no completion instance takes more';
    throw new AppError('SERVICE_UNAVAILABLE', { internalMessage });
  };
  const next = (call: CompletionCall, error: AppError, tried: readonly Instance[]) =>
    error instanceof NotBegunError ? choose(call.accountId, tried) : undefined;

  return {
    complete(input, call) {
      let cancelled = false;
      let running: PendingCompletion | undefined;
      const attempt = async (
        instance: Instance,
        tried: readonly Instance[],
      ): Promise<completionV1.CompleteResponse> => {
        running = instance.client.complete(input, call);
        instance.inFlight += 1;
        let answer: completionV1.CompleteResponse;
        try {
          answer = await running.answer;
        } catch (cause) {
          instance.inFlight -= 1;
          const error = toAppError(cause);
          failed(instance, error);
          const all = [...tried, instance];
          const other = cancelled ? undefined : next(call, error, all);
          if (other === undefined) throw error;
          return attempt(other, all);
        }
        instance.inFlight -= 1;
        return answer;
      };
      return {
        answer: attempt(first(call.accountId), []),
        cancel() {
          cancelled = true;
          running?.cancel();
        },
      };
    },
    stream(input, call, listener) {
      let running: CompletionStream;
      let cancelled = false;
      const attempt = (instance: Instance, tried: readonly Instance[]) => {
        running = instance.client.stream(input, call, {
          onHead: (head) => listener.onHead(head),
          onChunk: (choices) => listener.onChunk(choices),
          onEnd(outcome) {
            instance.inFlight -= 1;
            if (!outcome.ok) {
              failed(instance, outcome.error);
              const all = [...tried, instance];
              const other = cancelled ? undefined : next(call, outcome.error, all);
              if (other?.client.available) {
                attempt(other, all);
                return;
              }
            }
            listener.onEnd(outcome);
          },
        });
        instance.inFlight += 1;
      };
      attempt(first(call.accountId), []);
      return {
        pause: () => running.pause(),
        resume: () => running.resume(),
        cancel() {
          cancelled = true;
          running.cancel();
        },
      };
    },
    explain: async (input, call) => first(call.accountId).client.explain(input, call),
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
