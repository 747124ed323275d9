import {
  type AppError,
  type Clock,
  type ErrorCode,
  type Logger,
  type Timer,
  toIsoTime,
} from '@tollgate/core';
import { createEvent, type EventBus, REFUSALS_PER_EVENT_MAX, toOutgoing } from '@tollgate/events';
import type { HttpExchange } from '../http/exchange';

/** A completion that was refused before a vendor was asked, so that no receipt tells of it. */
export interface RefusedRequest {
  readonly accountId: string;
  readonly keyId: string;
  readonly requestId: string;
  readonly code: string;
  /** What the client was told. */
  readonly message: string;
  /** The member at fault. */
  readonly param: string | undefined;
  readonly requestedModel: string | undefined;
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
    exchange: Pick<HttpExchange, 'principal' | 'requestedModel'> & { readonly requestId: string },
    failure: AppError,
  ): void;
  start(): void;
  /** Publishes what is noted and ends. */
  stop(): Promise<void>;
}

/** Failures whose sentence may quote the prompt: of these the general one is kept. */
const QUOTING: ReadonlySet<string> = new Set<ErrorCode>(['CONTENT_POLICY']);
/** Of one key and code in one window, so that a loop leaves room for what else is refused. */
const PER_KEY_AND_CODE_MAX = 5;
/** Of one account in one window. */
const PER_ACCOUNT_MAX = 20;
/** Of all accounts in one window: a flood of refusals costs no more than this. */
const PER_WINDOW_MAX = 200;

/** Some of each window; the others are in the log and the counts. */
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
    note({ principal, requestedModel, requestId }, failure) {
      if (principal === undefined || count >= PER_WINDOW_MAX) return;
      const { accountId, keyId } = principal;
      const ofAccount = noted.get(accountId) ?? [];
      if (ofAccount.length >= PER_ACCOUNT_MAX) return;
      const { code, definition, param, publicMessage } = failure;
      const isAlike = (one: RefusedRequest) => one.keyId === keyId && one.code === code;
      if (ofAccount.filter(isAlike).length >= PER_KEY_AND_CODE_MAX) return;
      const message = QUOTING.has(code) ? definition.publicMessage : publicMessage;
      const told = { code, message, param, requestedModel, atMs: clock.now() };
      ofAccount.push({ accountId, keyId, requestId, ...told });
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
/** As the log has it: longer sentences name members that the client made up. */
const MESSAGE_LENGTH_MAX = 300;
const MODEL_LENGTH_MAX = 256;

/** Publishes them on the denials topic, in events of one account each. */
export function createRefusedRequestPublisher(
  bus: EventBus,
  gatewayId: string,
  clock: Clock,
): RefusedRequestsOptions['publish'] {
  return (refused) => {
    const events = [...Map.groupBy(refused, ({ accountId }) => accountId)].flatMap(
      ([accountId, requests]) =>
        pagesOf(requests).map((page) => {
          const data = { account_id: accountId, gateway_id: gatewayId, requests: page.map(toData) };
          return toOutgoing(accountId, createEvent('refusals.sampled', data, clock));
        }),
    );
    return bus.publish(events, { timeoutMs: PUBLISH_TIMEOUT_MS });
  };
}

function pagesOf(requests: readonly RefusedRequest[]): readonly (readonly RefusedRequest[])[] {
  const pages: (readonly RefusedRequest[])[] = [];
  for (let from = 0; from < requests.length; from += REFUSALS_PER_EVENT_MAX) {
    pages.push(requests.slice(from, from + REFUSALS_PER_EVENT_MAX));
  }
  return pages;
}

function toData({ atMs, code, keyId, message, param, requestedModel, requestId }: RefusedRequest) {
  return {
    ...{ request_id: requestId, key_id: keyId, error_code: code, at: toIsoTime(atMs) },
    message: message.slice(0, MESSAGE_LENGTH_MAX),
    param: param?.slice(0, MESSAGE_LENGTH_MAX) ?? null,
    // An empty name is none that can be told.
    requested_model: requestedModel?.slice(0, MODEL_LENGTH_MAX) || null,
  };
}
