import { createFairShare, type Logger } from '@tollgate/core';
import type { Dispatcher } from 'undici';
import {
  createExchange,
  type ExchangeContext,
  type ExchangeHandle,
  type ExchangeObserver,
  type ExchangeRequest,
  type QueuedExchange,
  refuseExchange,
} from './exchange';
import { EgressFault } from './failure';
import { createWaitingQueues } from './waiting-queues';

/** What became of an exchange whose owner may have no more connections at present. */
export type CrowdedExchange = 'waiting' | 'refused';

/** Keep-alive connections to one origin. */
export interface OriginPool {
  /** The hot path: callbacks, no promise, no stream. Redirects are answers, not followed. */
  dispatch(request: ExchangeRequest, observer: ExchangeObserver): ExchangeHandle;
  /** Whether the owner may have one more connection, and none of its exchanges waits for one. */
  hasRoom(owner: string): boolean;
  /** What `mayLeaveQueue` says may have changed: what waits is looked at, soon. */
  lookAtQueues(): void;
  /** Takes no new exchange and waits for the running ones. */
  close(): Promise<void>;
  /** Ends the running exchanges with reason `closed`. */
  destroy(): Promise<void>;
}

export interface DispatcherPoolDependencies {
  readonly dispatcher: Dispatcher;
  readonly origin: string;
  readonly logger: Logger;
  /** Exchanges that the dispatcher carries together: each has a connection or opens one. */
  readonly connections: number;
  /** Exchanges that may wait; one more is refused as overloaded. */
  readonly queuedMax: number;
  readonly onCrowded: ((became: CrowdedExchange) => void) | undefined;
  readonly mayLeaveQueue: (() => boolean) | undefined;
  readonly onClosed: () => void;
}

const everybody = () => true;

/**
 * Shares the connections among the owners of exchanges, so that what a few of them let hang leaves
 * room for everybody else. Whoever has no room waits here: undici's queue knows no owners.
 */
export function createOriginPoolOn(deps: DispatcherPoolDependencies): OriginPool {
  const { dispatcher, origin, logger, onCrowded, mayLeaveQueue = () => true } = deps;
  const connections = createFairShare(deps.connections);
  const queues = createWaitingQueues<QueuedExchange>(deps.queuedMax);
  let isClosed = false;
  let willPassOn = false;
  const startAll = (mayGo: (owner: string) => boolean) => {
    for (let next = queues.take(mayGo); next !== undefined; next = queues.take(mayGo)) {
      next.start(true);
    }
  };
  /** Not at once: first whoever hears of the end of an exchange acts on it. */
  const passOnSoon = () => {
    if (willPassOn || queues.waiting === 0) return;
    willPassOn = true;
    setImmediate(() => {
      willPassOn = false;
      startAll((owner) => mayLeaveQueue() && connections.take(owner));
    });
  };
  /** Whoever stands in a queue goes first, also while it is not looked at yet. */
  const mayBegin = (owner: string) => !willPassOn && !queues.has(owner);
  const hasRoom = (owner: string) => !queues.has(owner) && connections.hasRoom(owner);
  const context: ExchangeContext = {
    dispatcher,
    origin,
    logger,
    onReleased(exchange) {
      if (isClosed || queues.leave(exchange)) return;
      connections.release(exchange.owner);
      passOnSoon();
    },
  };
  /** From now on undici's queue is the only one: it ends with the dispatcher. */
  const handOver = () => {
    isClosed = true;
    startAll(everybody);
  };
  return {
    dispatch(request, observer) {
      const exchange = createExchange(context, request, observer);
      const { owner } = exchange;
      const isCrowded = !hasRoom(owner);
      if (isClosed || (mayBegin(owner) && connections.take(owner))) exchange.start(false);
      else if (queues.join(exchange)) {
        if (isCrowded) onCrowded?.('waiting');
        // The queue may have stood still although connections were free.
        if (connections.hasRoom(owner)) passOnSoon();
      } else {
        onCrowded?.('refused');
        const fault = new EgressFault('overloaded', 'too many exchanges wait for a connection');
        return refuseExchange(context, fault, observer);
      }
      return exchange;
    },
    hasRoom,
    lookAtQueues: passOnSoon,
    async close() {
      handOver();
      await dispatcher.close();
      deps.onClosed();
    },
    async destroy() {
      handOver();
      await dispatcher.destroy();
      deps.onClosed();
    },
  };
}
