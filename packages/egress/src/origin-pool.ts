import type { Logger } from '@tollgate/core';
import type { Dispatcher } from 'undici';
import {
  type ExchangeHandle,
  type ExchangeObserver,
  type ExchangeRequest,
  refuseExchange,
  startExchange,
} from './exchange';
import { EgressFault } from './failure';

/** Keep-alive connections to one origin. */
export interface OriginPool {
  /** The hot path: callbacks, no promise, no stream. Redirects are answers, not followed. */
  dispatch(request: ExchangeRequest, observer: ExchangeObserver): ExchangeHandle;
  /** Takes no new exchange and waits for the running ones. */
  close(): Promise<void>;
  /** Ends the running exchanges with reason `closed`. */
  destroy(): Promise<void>;
}

export interface DispatcherPoolDependencies {
  readonly dispatcher: Dispatcher;
  readonly origin: string;
  readonly logger: Logger;
  /** Exchanges that may run and wait together; one more is refused as overloaded. */
  readonly inFlightMax: number;
  readonly onClosed: () => void;
}

export function createOriginPoolOn(deps: DispatcherPoolDependencies): OriginPool {
  /** Exchanges that run or wait for a connection. */
  let inFlight = 0;
  const context = {
    dispatcher: deps.dispatcher,
    origin: deps.origin,
    logger: deps.logger,
    onReleased: () => {
      inFlight -= 1;
    },
  };
  return {
    dispatch(request, observer) {
      if (inFlight >= deps.inFlightMax) {
        const fault = new EgressFault('overloaded', `more than ${deps.inFlightMax} exchanges`);
        return refuseExchange(context, fault, observer);
      }
      inFlight += 1;
      return startExchange(context, request, observer);
    },
    async close() {
      await deps.dispatcher.close();
      deps.onClosed();
    },
    async destroy() {
      await deps.dispatcher.destroy();
      deps.onClosed();
    },
  };
}
