import { type AppError, type Clock, createSystemClock, type Logger } from '@tollgate/core';
import { Client, Pool } from 'undici';
import {
  type AddressGuard,
  createAddressGuard,
  type Resolver,
  requireOrigin,
  type UrlGiver,
} from './address-guard';
import { type CollectedResponse, collectResponse } from './collect-response';
import { type ExchangeRequest, startExchange } from './exchange';
import { EgressFault, toAppFailure } from './failure';
import { createGuardedConnector } from './guarded-connector';
import { type CrowdedExchange, createOriginPoolOn, type OriginPool } from './origin-pool';
import { createSystemResolver } from './system-resolver';

/** How the client is made. */
export interface EgressClientOptions {
  /** Hosts that may have private addresses: `host` for any port, or `host:port`. */
  readonly allowedPrivateHosts: readonly string[];
  /** The setting that holds them: refusals name it. Default TOLLGATE_EGRESS_ALLOWED_HOSTS. */
  readonly allowedBy?: string;
  /** A URL whose host does not resolve is told apart; for URLs that operators alone give. */
  readonly tellsUnknownNames?: boolean;
  readonly logger: Logger;
  /** Default: the hosts file, DNS, and then the operating system's look-up. */
  readonly resolver?: Resolver;
  /** Times `requestOnce`. Default: the machine's. */
  readonly clock?: Clock;
  /** Single requests that run together; one more is refused. Default 256. */
  readonly singleRequestsMax?: number;
}

/** Bounds of one origin's connections. */
export interface OriginPoolOptions {
  /**
   * Connections that may be open together; each carries one exchange at a time. An owner of exchanges
   * has at most as many as it leaves free: alone half of them.
   */
  readonly connections: number;
  readonly connectTimeoutMs: number;
  /** Silence within the answer's body. 0 is none; precise to about a second. */
  readonly bodyTimeoutMs: number;
  /** How long an idle connection is kept, at least 1. */
  readonly keepAliveMs: number;
  /** Exchanges that may wait for a connection, shared in the same way. Default 1,024. */
  readonly queuedMax?: number;
  /** An exchange waits for a connection that its owner may have, or is refused for too many of them. */
  readonly onCrowded?: (became: CrowdedExchange) => void;
  /**
   * Whether what waits may begin, once a connection is free for it; otherwise it stays in its queue
   * until an exchange ends, one comes that has to join a queue and whose owner may have a
   * connection, or `lookAtQueues` is called. Default: it may.
   */
  readonly mayLeaveQueue?: () => boolean;
}

/** One request outside any pool. */
export interface SingleRequest extends Pick<ExchangeRequest, 'method' | 'headers' | 'body'> {
  /** From the call to the last byte that is wanted, name resolution included. */
  readonly timeoutMs: number;
  /** Bytes of the answer's body that are kept; the rest is not read. 0 ends it at its head. */
  readonly responseBytesMax: number;
  readonly signal?: AbortSignal;
}

/** The way out of the product over HTTP; its README says which requests go past it. */
export interface EgressClient {
  /**
   * Refuses what can never be called: wrong scheme, user info, a port of another protocol, a literal
   * or a name with a private address. For URLs that an operator or a customer gives; throws
   * VALIDATION_ERROR with a public sentence.
   */
  checkUrl(url: string, giver?: UrlGiver): Promise<URL>;
  /**
   * Connections to `scheme://host[:port]`. Throws VALIDATION_ERROR as `checkUrl` does, but looks no
   * name up: each connection does, and fails where it is refused.
   */
  createOriginPool(originUrl: string, options: OriginPoolOptions): OriginPool;
  /** One request on a connection of its own. Redirects are answers, not followed. */
  requestOnce(url: string, request: SingleRequest): Promise<CollectedResponse>;
  /** Ends every pool and single request. */
  close(): Promise<void>;
}

const SINGLE_REQUESTS_MAX_DEFAULT = 256;
const QUEUED_MAX_DEFAULT = 1_024;
const HEADER_BYTES_MAX = 32 * 1_024;

export function createEgressClient(options: EgressClientOptions): EgressClient {
  const { logger, clock = createSystemClock(), resolver = createSystemResolver() } = options;
  const guard = createAddressGuard({
    allowedPrivateHosts: options.allowedPrivateHosts,
    allowedBy: options.allowedBy ?? 'TOLLGATE_EGRESS_ALLOWED_HOSTS',
    ...(options.tellsUnknownNames === true ? { tellsUnknownNames: true } : {}),
    resolver,
    logger,
    clock,
  });
  const singleRequestsMax = options.singleRequestsMax ?? SINGLE_REQUESTS_MAX_DEFAULT;
  const pools = new Set<OriginPool>();
  const singles = new Set<Client>();
  let closed = false;

  const createOriginPool: EgressClient['createOriginPool'] = (originUrl, poolOptions) => {
    const origin = requireOrigin(guard.checkForm(originUrl));
    if (closed) throw unavailable(origin, 'closed', 'the client is closed');
    const dispatcher = openPool(guard, origin, poolOptions);
    const pool = createOriginPoolOn({
      dispatcher,
      origin: origin.origin,
      logger,
      connections: poolOptions.connections,
      queuedMax: poolOptions.queuedMax ?? QUEUED_MAX_DEFAULT,
      onCrowded: poolOptions.onCrowded,
      mayLeaveQueue: poolOptions.mayLeaveQueue,
      onClosed: () => pools.delete(pool),
    });
    pools.add(pool);
    return pool;
  };

  const requestOnce: EgressClient['requestOnce'] = async (text, request) => {
    const url = guard.checkForm(text);
    if (closed) throw unavailable(url, 'closed', 'the client is closed');
    if (singles.size >= singleRequestsMax) {
      throw unavailable(url, 'overloaded', `more than ${singleRequestsMax} single requests`);
    }
    const dispatcher = openSingle(guard, url, request.timeoutMs);
    singles.add(dispatcher);
    const context = { dispatcher, origin: url.origin, logger, onReleased: () => {} };
    const timeout = new EgressFault('total_timeout', `no answer within ${request.timeoutMs} ms`);
    const timer = clock.schedule(request.timeoutMs, () => void dispatcher.destroy(timeout));
    try {
      return await collectResponse(
        (observer) => startExchange(context, toExchangeRequest(url, request), observer),
        request,
      );
    } finally {
      timer.cancel();
      singles.delete(dispatcher);
      void dispatcher.destroy();
    }
  };

  return {
    checkUrl: guard.checkUrl,
    createOriginPool,
    requestOnce,
    async close() {
      closed = true;
      const ending = [...pools].map((pool) => pool.destroy());
      await Promise.all([...ending, ...[...singles].map((single) => single.destroy())]);
    },
  };
}

function openPool(guard: AddressGuard, origin: URL, options: OriginPoolOptions): Pool {
  const { connectTimeoutMs } = options;
  return new Pool(origin, {
    connect: createGuardedConnector({ guard, origin, connectTimeoutMs }),
    connections: options.connections,
    // Who waits for a head bounds that itself, to the millisecond.
    headersTimeout: 0,
    bodyTimeout: options.bodyTimeoutMs,
    keepAliveTimeout: options.keepAliveMs,
    keepAliveMaxTimeout: options.keepAliveMs,
    maxHeaderSize: HEADER_BYTES_MAX,
    pipelining: 1,
  });
}

function openSingle(guard: AddressGuard, url: URL, connectTimeoutMs: number): Client {
  return new Client(url.origin, {
    connect: createGuardedConnector({ guard, origin: url, connectTimeoutMs }),
    // The one bound is the total time; undici's own would only blur the reason.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: HEADER_BYTES_MAX,
    pipelining: 0,
  });
}

function unavailable(url: URL, reason: 'closed' | 'overloaded', text: string): AppError {
  return toAppFailure(new EgressFault(reason, text), 'connect', reason, url.origin);
}

function toExchangeRequest(url: URL, request: SingleRequest): ExchangeRequest {
  return {
    method: request.method,
    path: `${url.pathname}${url.search}`,
    ...(request.headers === undefined ? {} : { headers: request.headers }),
    ...(request.body === undefined ? {} : { body: request.body }),
  };
}
