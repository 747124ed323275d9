import {
  type AppError,
  type Clock,
  type ErrorCode,
  type Logger,
  networkOf,
  type RejectedCandidate,
  type Timer,
  toIsoTime,
} from '@tollgate/core';
import type { RefusalsSampled, RefusalsUnauthorized, RefusalsUnrouted } from '@tollgate/events';
import { ClientAddressRefusedError } from '../auth/authorize';
import { BearerRefusedError, refusalOfBearer } from '../auth/bearer';
import type { HttpExchange } from '../http/exchange';
import { MESSAGE_LENGTH_MAX } from '../http/observe-exchange';

/** A request that was refused before a vendor was asked, so that no receipt tells of it. */
export type RefusedRequest = {
  /** Empty when it is not known whose it was. */
  readonly accountId: string;
  /** Empty when no key is known, and for a signed-in user. */
  readonly keyId: string;
  readonly code: string;
} & (
  | AsEvent<'refusals.sampled', RefusalsSampled>
  | AsEvent<'refusals.unauthorized', RefusalsUnauthorized>
  | AsEvent<'refusals.unrouted', RefusalsUnrouted>
);

/** What an event of that type says of one request. */
interface AsEvent<Type extends string, Data extends { readonly requests: readonly unknown[] }> {
  readonly type: Type;
  readonly data: Data['requests'][number];
}

export interface RefusedRequestsOptions {
  readonly publish: (refused: readonly RefusedRequest[]) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Remembers some refused requests of each window and publishes them outside of requests' way: a few
 * soon after the first, and all others when the window ends.
 */
export interface RefusedRequests {
  note(
    exchange: Pick<HttpExchange, 'principal' | 'requestedModel'> & { readonly requestId: string },
    failure: AppError,
  ): void;
  /** The same of a 401; `path` where it is no completion. */
  noteUnauthorized(requestId: string, address: string, failure: AppError, path?: string): void;
  /** The same of a wrong path or method, likely meant for completions: whose it is nobody knows. */
  noteUnrouted(
    requestId: string,
    address: string,
    refusal: {
      readonly code: string;
      readonly message: string;
      /** Its plain words. */
      readonly path: string;
      /** The public part of what was sent as an API key; empty when there is none. */
      readonly presented: string;
    },
  ): void;
  /** Publishes what is noted and not published yet, and begins the next window. */
  flush(): Promise<void>;
}

const MODEL_LENGTH_MAX = 256;
/** The code that goes without saying. */
const UNROUTED = 'NOT_FOUND' satisfies ErrorCode;

/** Failures whose sentence may quote the prompt: the general sentence is kept in its place. */
const QUOTING: ReadonlySet<string> = new Set<ErrorCode>(['CONTENT_POLICY']);
/** Requests of one key and code in one window: a loop leaves room for what else is refused. */
const PER_KEY_AND_CODE_MAX = 5;
/** Requests of one account in one window. */
const PER_ACCOUNT_MAX = 20;
/**
 * Requests of all accounts in one window: a flood of refusals costs no more than this. When there are
 * as many, an account with fewer takes the place of one of the account with the most.
 */
const PER_WINDOW_MAX = 200;
/**
 * Requests of one window whose sender may be anybody: they show no secret of an account's key, or come
 * to a wrong path. They have places of their own, so that they take none of an account's.
 */
const UNPROVEN_MAX = 10;
const UNPROVEN_PER_NETWORK_MAX = 5;

/** A few are published so soon after the first: somebody may be looking for the one just made. */
const EARLY_MS = 1_000;
/** More than these are a burst, which is published at the end of its window alone. */
const EARLY_MAX = 20;

/** Some of each window; the others are in the log and the counts. */
export function createRefusedRequests(options: RefusedRequestsOptions): RefusedRequests {
  const { clock } = options;
  let noted: RefusedRequest[] = [];
  /** The requests whose sender may be anybody. */
  let unproven: { readonly one: RefusedRequest; readonly network: string }[] = [];

  const publisher = createWindowPublisher(options, () => [
    ...noted,
    ...unproven.map(({ one }) => one),
  ]);
  const add = (one: RefusedRequest): void => {
    const { accountId, code, keyId } = one;
    const ofAccount = noted.filter((each) => each.accountId === accountId);
    if (ofAccount.length >= PER_ACCOUNT_MAX) return;
    const isAlike = (each: RefusedRequest) => each.keyId === keyId && each.code === code;
    if (ofAccount.filter(isAlike).length >= PER_KEY_AND_CODE_MAX) return;
    if (noted.length < PER_WINDOW_MAX || makeRoom(noted, ofAccount.length)) noted.push(one);
  };
  const addUnproven = (one: RefusedRequest, network: string): void => {
    const alike = unproven.filter((each) => each.network === network);
    if (unproven.length >= UNPROVEN_MAX || alike.length >= UNPROVEN_PER_NETWORK_MAX) return;
    unproven.push({ one, network });
  };
  const flush = async (): Promise<void> => {
    const over = publisher.endWindow();
    noted = [];
    unproven = [];
    await over;
  };

  return {
    note({ principal, requestedModel, requestId }, failure) {
      if (principal === undefined) return;
      const { accountId, keyId } = principal;
      const { code, param, rejected } = failure;
      const data = {
        request_id: requestId,
        key_id: keyId || null,
        error_code: code,
        at: toIsoTime(clock.now()),
        ...addressIn(failure),
        message: messageOf(failure).slice(0, MESSAGE_LENGTH_MAX),
        param: param?.slice(0, MESSAGE_LENGTH_MAX) ?? null,
        // An empty name is none that can be told.
        requested_model: requestedModel?.slice(0, MODEL_LENGTH_MAX) || null,
        ...(rejected.length === 0 ? {} : { rejected: rejected.map(toRejected) }),
      };
      add({ accountId, keyId, code, type: 'refusals.sampled', data });
      publisher.publishSoon();
    },
    noteUnauthorized(requestId, address, failure, path) {
      const refusal = failure instanceof BearerRefusedError ? failure : refusalOfBearer('session');
      const { accountId, keyId, fault, presented, slip } = refusal.details;
      const data = {
        request_id: requestId,
        fault,
        presented: presented || null,
        at: toIsoTime(clock.now()),
        account_id: accountId || null,
        key_id: keyId || null,
        ...(address ? { address } : {}),
        ...(slip === undefined ? {} : { message: slip }),
        ...(path === undefined ? {} : { path }),
      };
      const { code } = failure;
      const one: RefusedRequest = { accountId, keyId, code, type: 'refusals.unauthorized', data };
      const isUnproven = accountId === '' || fault === 'wrong_secret';
      if (isUnproven) addUnproven(one, networkOf(address));
      else add(one);
      publisher.publishSoon();
    },
    noteUnrouted(requestId, address, { code, message, path, presented }) {
      const data = {
        request_id: requestId,
        path,
        message: message.slice(0, MESSAGE_LENGTH_MAX),
        presented: presented || null,
        ...(code === UNROUTED ? {} : { error_code: code }),
        ...(address ? { address } : {}),
        at: toIsoTime(clock.now()),
      };
      const one = { accountId: '', keyId: '', code, type: 'refusals.unrouted', data } as const;
      addUnproven(one, networkOf(address));
      publisher.publishSoon();
    },
    flush,
  };
}

/** The address of a client that its key does not allow; absent when its socket was gone by then. */
function addressIn(failure: AppError): { readonly address?: string } {
  if (!(failure instanceof ClientAddressRefusedError) || failure.address === '') return {};
  return { address: failure.address };
}

/** What the client was told, without what may quote its prompt. */
function messageOf({ code, definition, publicMessage }: AppError): string {
  return QUOTING.has(code) ? definition.publicMessage : publicMessage;
}

function toRejected({ channelId, retryAfterMs, ...rest }: RejectedCandidate) {
  const wait = retryAfterMs === undefined ? {} : { retry_after_ms: retryAfterMs };
  return { channel_id: channelId, ...rest, ...wait };
}

/** Publishes each request that `list` returns in a window once: a few early, the others at its end. */
function createWindowPublisher(
  { clock, logger, publish }: RefusedRequestsOptions,
  list: () => readonly RefusedRequest[],
) {
  const published = new Set<RefusedRequest>();
  let early: Timer | undefined;
  /** The early ones may still be on their way when the window ends, or the process. */
  let publishing = Promise.resolve();

  const listUnpublished = () => list().filter((one) => !published.has(one));
  const publishAll = async (refused: readonly RefusedRequest[]): Promise<void> => {
    if (refused.length === 0) return;
    try {
      await publish(refused);
    } catch (error) {
      // They are for people; the log has them too.
      logger.warn({ error, lost: refused.length }, 'refused requests could not be published');
    }
  };
  const publishEarly = (): void => {
    const refused = listUnpublished();
    if (refused.length > EARLY_MAX) return;
    for (const one of refused) published.add(one);
    publishing = publishAll(refused);
  };

  return {
    publishSoon(): void {
      early ??= clock.schedule(EARLY_MS, publishEarly);
    },
    async endWindow(): Promise<void> {
      const refused = listUnpublished();
      published.clear();
      early?.cancel();
      early = undefined;
      await Promise.all([publishing, publishAll(refused)]);
    },
  };
}

/**
 * Makes a place for an account that has `length` of them: drops the newest of the account with the
 * most, as long as that one keeps as many as the other then has.
 */
function makeRoom(noted: RefusedRequest[], length: number): boolean {
  const counts = new Map<string, number>();
  let most = '';
  for (const { accountId } of noted) {
    const count = (counts.get(accountId) ?? 0) + 1;
    counts.set(accountId, count);
    if (count > (counts.get(most) ?? 0)) most = accountId;
  }
  if ((counts.get(most) ?? 0) < length + 2) return false;
  noted.splice(
    noted.findLastIndex(({ accountId }) => accountId === most),
    1,
  );
  return true;
}
