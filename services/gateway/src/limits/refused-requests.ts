import {
  type AppError,
  type Clock,
  type ErrorCode,
  type Logger,
  type Timer,
  toIsoTime,
} from '@tollgate/core';
import { createEvent, type EventBus, REFUSALS_PER_EVENT_MAX, toOutgoing } from '@tollgate/events';
import type { Caller } from '../http/exchange';

/** A completion that was refused before a vendor was asked, so that no receipt tells of it. */
export interface RefusedRequest {
  readonly accountId: string;
  readonly keyId: string;
  readonly requestId: string;
  readonly code: string;
  /** What the client was told. */
  readonly message: string;
  readonly atMs: number;
}

export interface RefusedRequestsOptions {
  readonly publish: (refused: readonly RefusedRequest[]) => Promise<void>;
  readonly windowMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Remembers some refused requests of each window and publishes them outside of requests' way. */
export interface RefusedRequests {
  note(
    exchange: { readonly caller: Caller | undefined; readonly requestId: string },
    failure: AppError,
  ): void;
  start(): void;
  /** Publishes what is noted and ends. */
  stop(): Promise<void>;
}

/** Failures whose sentence may quote what was sent: of these the general one is kept. */
const QUOTING: ReadonlySet<string> = new Set<ErrorCode>(['VALIDATION_ERROR', 'CONTENT_POLICY']);
/** Of all accounts in one window: a flood of refusals costs no more than this. */
const PER_WINDOW_MAX = 200;

/** Of an account in a window as many as an event holds; the others are in the log and the counts. */
export function createRefusedRequests(options: RefusedRequestsOptions): RefusedRequests {
  const { clock, logger, publish, windowMs } = options;
  let noted = new Map<string, RefusedRequest[]>();
  let count = 0;
  let timer: Timer | undefined;

  const flush = async (): Promise<void> => {
    const refused = [...noted.values()].flat();
    noted = new Map();
    count = 0;
    if (refused.length === 0) return;
    try {
      await publish(refused);
    } catch (error) {
      // They are for people; the log has them too.
      logger.warn({ error, lost: refused.length }, 'refused requests could not be published');
    }
  };
  const schedule = (): void => {
    timer = clock.schedule(windowMs, () => {
      void flush();
      schedule();
    });
  };

  return {
    note({ caller, requestId }, failure) {
      if (caller === undefined || count >= PER_WINDOW_MAX) return;
      const { accountId, keyId } = caller;
      const ofAccount = noted.get(accountId) ?? [];
      if (ofAccount.length >= REFUSALS_PER_EVENT_MAX) return;
      const { code, definition, publicMessage } = failure;
      const message = QUOTING.has(code) ? definition.publicMessage : publicMessage;
      ofAccount.push({ accountId, keyId, requestId, code, message, atMs: clock.now() });
      noted.set(accountId, ofAccount);
      count += 1;
    },
    start: schedule,
    async stop() {
      timer?.cancel();
      await flush();
    },
  };
}

const PUBLISH_TIMEOUT_MS = 5000;
const MESSAGE_LENGTH_MAX = 500;

/** Publishes them on the denials topic, an event for each account. */
export function createRefusalPublisher(
  bus: EventBus,
  gatewayId: string,
  clock: Clock,
): RefusedRequestsOptions['publish'] {
  return (refused) => {
    const events = [...Map.groupBy(refused, ({ accountId }) => accountId)].map(
      ([accountId, requests]) => {
        const data = {
          ...{ account_id: accountId, gateway_id: gatewayId },
          requests: requests.map(({ requestId, keyId, code, message, atMs }) => ({
            ...{ request_id: requestId, key_id: keyId, error_code: code, at: toIsoTime(atMs) },
            message: message.slice(0, MESSAGE_LENGTH_MAX),
          })),
        };
        return toOutgoing(accountId, createEvent('refusals.sampled', data, clock));
      },
    );
    return bus.publish(events, { timeoutMs: PUBLISH_TIMEOUT_MS });
  };
}
