import { type Clock, createSystemClock, silentLogger } from '@tollgate/core';
import { createFakeClock, settlePromises } from '@tollgate/testkit';
import type { EventHandler } from '../event-bus';
import { describeEventBusContract } from '../testing/event-bus-contract';
import { ACCOUNT, createCountingObserver, numberOf, usageOf } from '../testing/events';
import { createInProcessBus, type InProcessBusOptions } from './in-process-bus';

const USAGE = 'tollgate.usage.v1';

describe('the in-process bus keeps the contract', () => {
  describeEventBusContract(async () => {
    const { observer, count } = createCountingObserver();
    const backoff = { initialMs: 1, maxMs: 5 };
    const clock = createSystemClock();
    const bus = createInProcessBus({
      clock,
      logger: silentLogger,
      observer,
      backoff,
      closeTimeoutMs: 50,
    });
    return { bus, count, dispose: () => bus.close() };
  });
});

describe('the in-process bus', () => {
  it('hands a batch to a group as it was published', async () => {
    const { bus, publishMany } = open();
    const sizes: number[] = [];
    await listen(bus, 'stats', async (events) => {
      sizes.push(events.length);
    });
    publishMany([1, 2, 3]);
    await settlePromises();
    expect(sizes).toEqual([3]);
  });

  it('acknowledges an event only after every group has handled it', async () => {
    const { bus, publish } = open();
    const release = Promise.withResolvers<void>();
    await listen(bus, 'stats', async () => undefined);
    await listen(bus, 'webhook', () => release.promise);
    const published = publish(1);
    await settlePromises();
    expect(published.outcome).toBe('pending');
    release.resolve();
    await settlePromises();
    expect(published.outcome).toBe('resolved');
  });

  it('acknowledges at once what no group wants', async () => {
    const { publish } = open();
    const published = publish(1);
    await settlePromises();
    expect(published.outcome).toBe('resolved');
  });

  it('stops waiting at the deadline and goes on delivering', async () => {
    // Long enough for fewer tries than make a dead letter, however the jitter falls.
    const backoff = { initialMs: 600, maxMs: 600 };
    const { bus, clock, publish } = open({ backoff });
    const seen: number[] = [];
    let broken = true;
    await listen(bus, 'billing', async (events) => {
      if (broken) throw new Error('not yet');
      seen.push(...events.map(numberOf));
    });
    const published = publish(1, 1_000);
    await clock.advance(999);
    expect(published.outcome).toBe('pending');
    await clock.advance(1);
    expect(published.outcome).toBe('SERVICE_UNAVAILABLE');
    broken = false;
    await clock.advance(backoff.maxMs);
    expect(seen).toEqual([1]);
  });

  it('waits longer after each failure of a handler, up to its cap', async () => {
    const { bus, clock, publish } = open({ backoff: { initialMs: 100, maxMs: 1_000 } });
    const attemptsAt: number[] = [];
    await listen(bus, 'billing', async () => {
      attemptsAt.push(clock.monotonicMs());
      throw new Error('broken');
    });
    publish(1, 60_000);
    await clock.advance(30_000);
    const waits = attemptsAt.slice(1).map((at, index) => at - (attemptsAt[index] ?? 0));
    expect(waits[0]).toBeLessThanOrEqual(100);
    expect(Math.max(...waits)).toBeLessThanOrEqual(1_000);
    expect(waits.slice(5).every((wait) => wait >= 500)).toBe(true);
  });

  it('refuses a whole batch when a group would have too much pending', async () => {
    const { bus, publish, publishMany } = open({ pendingMessagesMax: 3 });
    const stuck = Promise.withResolvers<void>();
    const seen: number[] = [];
    await listen(bus, 'slow', async (events) => {
      await stuck.promise;
      seen.push(...events.map(numberOf));
    });
    publish(1);
    publish(2);
    const refused = publishMany([3, 4]);
    await settlePromises();
    expect(refused.outcome).toBe('SERVICE_UNAVAILABLE');
    const accepted = publish(5);
    stuck.resolve();
    await settlePromises();
    expect(accepted.outcome).toBe('resolved');
    expect(seen).toEqual([1, 2, 5]);
  });

  it('tells the publisher at once when a group leaves without having handled the event', async () => {
    const { bus, publish } = open();
    const subscription = await listen(bus, 'billing', (_events, { signal }) =>
      untilAborted(signal),
    );
    const published = publish(1);
    await settlePromises();
    await subscription.stop();
    expect(published.outcome).toBe('SERVICE_UNAVAILABLE');
    const next = publish(2);
    await settlePromises();
    expect(next.outcome).toBe('resolved');
  });

  it('hands the events of a member that leaves to the next one', async () => {
    const { bus, publish } = open();
    const seen: number[] = [];
    const first = await listen(bus, 'billing', (_events, { signal }) => untilAborted(signal));
    await listen(bus, 'billing', async (events) => void seen.push(...events.map(numberOf)));
    const published = publish(1);
    await settlePromises();
    await first.stop();
    await settlePromises();
    expect(seen).toEqual([1]);
    expect(published.outcome).toBe('resolved');
  });

  it('gives up on a handler that does not end when closing takes too long', async () => {
    const { bus, clock, publish } = open({ closeTimeoutMs: 5_000 });
    await listen(bus, 'billing', (_events, { signal }) => untilAborted(signal));
    const published = publish(1, 60_000);
    let closed = false;
    const closing = bus.close().then(() => {
      closed = true;
    });
    await clock.advance(4_999);
    expect(closed).toBe(false);
    await clock.advance(1);
    await closing;
    expect(published.outcome).toBe('SERVICE_UNAVAILABLE');
    expect(clock.pendingTimers).toBe(0);
  });

  it('checks outgoing events when asked', async () => {
    const { publish } = open({ validate: true });
    const published = publish(0);
    await settlePromises();
    expect(published.outcome).toBe('INTERNAL_ERROR');
  });
});

type Bus = ReturnType<typeof createInProcessBus>;

function listen(bus: Bus, group: string, handle: EventHandler) {
  return bus.subscribe({ group, topics: [USAGE], handle });
}

function open(options: Partial<InProcessBusOptions> = {}) {
  const clock = createFakeClock();
  const bus = createInProcessBus({ clock, logger: silentLogger, ...options });
  const publishMany = (numbers: readonly number[], timeoutMs = 10_000) => {
    const batch = numbers.map((number) => usageOf(clock satisfies Clock, ACCOUNT, number));
    return watch(bus.publish(batch, { timeoutMs }));
  };
  const publish = (number: number, timeoutMs?: number) => publishMany([number], timeoutMs);
  return { bus, clock, publish, publishMany };
}

/** How a promise stands now: pending, resolved or the code it was rejected with. */
function watch(promise: Promise<void>): { outcome: string } {
  const watched = { outcome: 'pending' };
  promise.then(
    () => {
      watched.outcome = 'resolved';
    },
    (error: { code: string }) => {
      watched.outcome = error.code;
    },
  );
  return watched;
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')));
  });
}
