import { silentLogger } from '@tollgate/core';
import { correctRequestQueueTimer } from './request-queue-timer';

interface RequestQueue {
  pending: unknown[];
  throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  checkPendingRequests(): void;
  push(request: { entry: { correlationId: number } }): void;
  destroy(): void;
}

describe('the request queue of kafkajs', () => {
  let queue: RequestQueue;
  beforeAll(() => correctRequestQueueTimer());
  afterEach(() => queue.destroy());

  it('arms no timer while nothing waits, so that an idle connection lets its process sleep', () => {
    queue = createQueue({ maxInFlightRequests: null });
    queue.checkPendingRequests();
    expect(queue.throttleCheckTimeoutId).toBeNull();
  });

  it('still looks again at requests that wait for their turn, and sends them', async () => {
    queue = createQueue({ maxInFlightRequests: 0 });
    const sent = new Promise<void>((resolve) => {
      const request = { entry: { correlationId: 1 }, expectResponse: true, sendRequest: resolve };
      queue.push(request);
    });
    expect(queue.throttleCheckTimeoutId).not.toBeNull();
    Reflect.set(queue, 'maxInFlightRequests', 1);
    await sent;
    expect(queue.pending).toEqual([]);
  });
});

function createQueue(options: { maxInFlightRequests: number | null }): RequestQueue {
  // The very class that connections use, by the same path.
  const RequestQueueClass = require('kafkajs/src/network/requestQueue') as new (
    settings: object,
  ) => RequestQueue;
  return new RequestQueueClass({
    ...options,
    requestTimeout: 1_000,
    enforceRequestTimeout: false,
    clientId: 'test',
    broker: 'none',
    logger: silentLogger,
  });
}
