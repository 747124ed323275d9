import { AppError, createSystemClock } from '@tollgate/core';
import { waitFor } from '@tollgate/testkit';
import type { EventBus, OutgoingEvent, ReceivedEvent, Subscription } from '../event-bus';
import type { TollgateEvent } from '../event-catalogue';
import type { TopicName } from '../topics';
import { ACCOUNT, numberOf, usageOf } from './events';

/** One bus of its own per test, with topics that no other test uses. */
export interface EventBusUnderTest {
  readonly bus: EventBus;
  /** `deadLettered`, `skipped` and so on: how often the observer heard of it. */
  count(report: string): number;
  dispose(): Promise<void>;
}

const clock = createSystemClock();
const USAGE = 'tollgate.usage.v1';
const TIMEOUT = { timeoutMs: 15_000 };
/** Longer than a consumer needs that a broker forgot: it looks again after thirty seconds. */
export const DELIVERY = { timeoutMs: 50_000 };

/**
 * The guarantees of every EventBus. Duplicates are allowed everywhere, as at-least-once means; a
 * real broker also delivers when it likes, so the suite waits for outcomes and never for time.
 */
export function describeEventBusContract(open: () => Promise<EventBusUnderTest>): void {
  let tested: EventBusUnderTest;
  let bus: EventBus;
  beforeEach(async () => {
    tested = await open();
    bus = tested.bus;
  });
  afterEach(() => tested.dispose());

  it('delivers the events of one key in the order in which they were published', async () => {
    const inbox = createInbox();
    await subscribe(bus, 'billing', inbox.handle);
    const accounts = ['acc_a', 'acc_b', 'acc_c', 'acc_d', 'acc_e'];
    for (let number = 1; number <= 40; number += 4) {
      const batch = [0, 1, 2, 3].flatMap((step) =>
        accounts.map((key) => usage(key, number + step)),
      );
      await bus.publish(batch, TIMEOUT);
    }
    await waitFor(() => inbox.unique().length === 200, DELIVERY);
    for (const key of accounts) expect(inbox.firstSightOf(key)).toEqual(upTo(40));
  });

  it('keeps the order of a key across publish calls that overlap', async () => {
    const inbox = createInbox();
    await subscribe(bus, 'billing', inbox.handle);
    const calls = upTo(60).map((number) => bus.publish([usage('acc_a', number)], TIMEOUT));
    await Promise.all(calls);
    await waitFor(() => inbox.unique().length === 60, DELIVERY);
    expect(inbox.firstSightOf('acc_a')).toEqual(upTo(60));
  });

  it('keeps groups independent: one that fails for ever holds up no other', async () => {
    const inbox = createInbox();
    let failures = 0;
    await subscribe(bus, 'webhook', async () => {
      failures += 1;
      throw new Error('this group is broken');
    });
    await subscribe(bus, 'stats', inbox.handle);
    // Where an acknowledgement means handled, the broken group keeps it back until the bus closes.
    void settle(
      bus.publish(
        upTo(20).map((n) => usage(ACCOUNT, n)),
        TIMEOUT,
      ),
    );
    await waitFor(() => inbox.unique().length === 20 && failures > 1, DELIVERY);
    expect(inbox.firstSightOf(ACCOUNT)).toEqual(upTo(20));
  });

  it('delivers again, in order, after a handler failed', async () => {
    const inbox = createInbox();
    let failuresLeft = 3;
    await subscribe(bus, 'billing', async (events) => {
      // A TypeError: what a mistake in a handler looks like must not end the consumer either.
      if (failuresLeft-- > 0) throw new TypeError('a mistake in a handler');
      await inbox.handle(events);
    });
    const batch = upTo(30).map((number) => usage(ACCOUNT, number));
    await bus.publish(batch, TIMEOUT);
    await waitFor(() => inbox.unique().length === 30, DELIVERY);
    expect(inbox.firstSightOf(ACCOUNT)).toEqual(upTo(30));
    expect(tested.count('handlerFailed')).toBeGreaterThanOrEqual(3);
  });

  it('loses nothing when a consumer dies between handling an event and confirming it', async () => {
    const dying = createInbox();
    const first = await subscribe(bus, 'billing', async (events, { signal }) => {
      await dying.handle(events);
      await new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('died')));
      });
    });
    const batch = [usage(ACCOUNT, 1), usage(ACCOUNT, 2)];
    const published = settle(bus.publish(batch, TIMEOUT));
    await waitFor(() => dying.unique().length > 0, DELIVERY);
    await first.stop();
    const inbox = createInbox();
    await subscribe(bus, 'billing', inbox.handle);
    // A message that was not acknowledged is published again; the others must come by themselves.
    if ((await published) === 'rejected') await bus.publish(batch, TIMEOUT);
    await waitFor(() => inbox.unique().length === 2, DELIVERY);
    expect(inbox.firstSightOf(ACCOUNT)).toEqual([1, 2]);
  });

  it('hands over batches of one topic and partition, never larger than asked', async () => {
    const inbox = createInbox();
    const sizes: number[] = [];
    const places = new Set<number>();
    await bus.subscribe({
      group: 'billing',
      topics: [USAGE],
      batchMax: 7,
      async handle(events) {
        sizes.push(events.length);
        places.add(new Set(events.map(({ topic, partition }) => `${topic}/${partition}`)).size);
        await inbox.handle(events);
      },
    });
    await bus.publish(
      upTo(50).map((number) => usage(ACCOUNT, number)),
      TIMEOUT,
    );
    await waitFor(() => inbox.unique().length === 50, DELIVERY);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(7);
    expect(Math.max(...sizes)).toBeGreaterThan(1);
    expect([...places]).toEqual([1]);
  });

  it('gives each event to one member of a group at least, and all of them to the group', async () => {
    const members = [createInbox(), createInbox()];
    for (const member of members) await subscribe(bus, 'billing', member.handle);
    const keys = upTo(30).map((number) => `acc_${number}`);
    await bus.publish(
      keys.map((key) => usage(key, 1)),
      TIMEOUT,
    );
    const seen = () => new Set(members.flatMap((member) => member.unique().map(({ key }) => key)));
    await waitFor(() => seen().size === 30, DELIVERY);
  });

  it('tolerates one to five copies of an event, which all carry its id', async () => {
    const inbox = createInbox();
    await subscribe(bus, 'billing', inbox.handle);
    for (let copies = 1; copies <= 5; copies += 1) {
      const outgoing = usage(ACCOUNT, copies);
      const batch = Array.from({ length: copies }, () => outgoing);
      await bus.publish(batch, TIMEOUT);
    }
    await waitFor(() => inbox.all().length >= 15, DELIVERY);
    expect(inbox.unique()).toHaveLength(5);
    expect(inbox.firstSightOf(ACCOUNT)).toEqual(upTo(5));
  });

  it('makes a dead letter of an unusable event, skips unknown types, and goes on', async () => {
    const inbox = createInbox();
    const letters: TollgateEvent[] = [];
    await subscribe(bus, 'billing', inbox.handle);
    await bus.subscribe({
      group: 'operator',
      topics: ['tollgate.dead-letter.v1'],
      handle: async (events) => void letters.push(...events.map(({ event }) => event)),
    });
    const secret = 'a prompt that nobody may keep';
    const unusable = altered(usage(ACCOUNT, 2), { data: { prompt: secret } });
    const unknown = altered(usage(ACCOUNT, 3), { type: 'usage.corrected' });
    await bus.publish([usage(ACCOUNT, 1), unusable, unknown, usage(ACCOUNT, 4)], TIMEOUT);
    await waitFor(() => inbox.unique().length === 2 && letters.length > 0, DELIVERY);
    expect(inbox.firstSightOf(ACCOUNT)).toEqual([1, 4]);
    expect(letters[0]).toMatchObject({
      type: 'dead_letter.recorded',
      data: {
        source_topic: USAGE,
        group: 'billing',
        event_id: unusable.event.id,
        key: ACCOUNT,
        payload_bytes: Buffer.byteLength(JSON.stringify(unusable.event)),
        record: null,
      },
    });
    expect(JSON.stringify(letters)).not.toContain(secret);
    expect(tested.count('deadLettered')).toBeGreaterThanOrEqual(1);
    // Passed over after the dead letter, which may be here already.
    await waitFor(() => tested.count('skipped') >= 1, DELIVERY);
  });

  it('makes a dead letter of an event with which its handler fails alone, and goes on with the others', async () => {
    const inbox = createInbox();
    const letters: TollgateEvent[] = [];
    await subscribe(bus, 'stats', async (events) => {
      if (events.some((event) => numberOf(event) === 2)) throw new TypeError('no such member');
      await inbox.handle(events);
    });
    await bus.subscribe({
      group: 'operator',
      topics: ['tollgate.dead-letter.v1'],
      handle: async (events) => void letters.push(...events.map(({ event }) => event)),
    });
    const batch = upTo(4).map((number) => usage(ACCOUNT, number));
    await bus.publish(batch, TIMEOUT);
    await waitFor(() => inbox.unique().length === 3 && letters.length > 0, DELIVERY);
    expect(inbox.firstSightOf(ACCOUNT)).toEqual([1, 3, 4]);
    const data = {
      group: 'stats',
      event_id: batch[1]?.event.id,
      key: ACCOUNT,
      reason: 'the handler fails with INTERNAL_ERROR (TypeError)',
    };
    expect(letters[0]).toMatchObject({ type: 'dead_letter.recorded', data });
  });

  it('keeps every event while its handler fails because something else is away', async () => {
    const inbox = createInbox();
    let failuresLeft = 12;
    await subscribe(bus, 'billing', async (events) => {
      if (failuresLeft-- > 0) throw new AppError('SERVICE_UNAVAILABLE');
      await inbox.handle(events);
    });
    void settle(
      bus.publish(
        upTo(3).map((number) => usage(ACCOUNT, number)),
        TIMEOUT,
      ),
    );
    await waitFor(() => inbox.unique().length === 3, DELIVERY);
    expect(inbox.firstSightOf(ACCOUNT)).toEqual(upTo(3));
    expect(tested.count('deadLettered')).toBe(0);
  });

  it('finishes running handlers and publishes before it has closed', async () => {
    let finished = false;
    const entered = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    await subscribe(bus, 'billing', async () => {
      entered.resolve();
      await release.promise;
      finished = true;
    });
    const published = settle(bus.publish([usage(ACCOUNT, 1)], TIMEOUT));
    await entered.promise;
    const closed = bus.close();
    release.resolve();
    await closed;
    expect(finished).toBe(true);
    expect(await published).toBe('resolved');
  });

  it('refuses with 503 what comes after it was closed', async () => {
    await bus.close();
    const refusal = { code: 'SERVICE_UNAVAILABLE', retryAfterMs: 1_000 };
    await expect(bus.publish([usage(ACCOUNT, 1)], TIMEOUT)).rejects.toMatchObject(refusal);
    const subscribing = subscribe(bus, 'billing', async () => undefined);
    await expect(subscribing).rejects.toMatchObject(refusal);
  });

  it('takes an empty batch and refuses an event without a key', async () => {
    await bus.publish([], TIMEOUT);
    const keyless = { ...usage(ACCOUNT, 1), key: '' };
    await expect(bus.publish([keyless], TIMEOUT)).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  });
}

function usage(key: string, number: number): OutgoingEvent {
  return usageOf(clock, key, number);
}

/** A different event under the same id and key, as a mistaken or a newer producer sends it. */
function altered(outgoing: OutgoingEvent, change: object): OutgoingEvent {
  return { ...outgoing, event: { ...outgoing.event, ...change } as TollgateEvent };
}

function subscribe(
  bus: EventBus,
  group: string,
  handle: (events: readonly ReceivedEvent[], control: { signal: AbortSignal }) => Promise<void>,
  topics: readonly TopicName[] = [USAGE],
): Promise<Subscription> {
  return bus.subscribe({ group, topics, handle });
}

function settle(promise: Promise<void>): Promise<'resolved' | 'rejected'> {
  return promise.then(
    () => 'resolved',
    () => 'rejected',
  );
}

function upTo(last: number): number[] {
  return Array.from({ length: last }, (_value, index) => index + 1);
}

/** Collects what a handler gets. */
function createInbox() {
  const received: ReceivedEvent[] = [];
  const unique = () => [...new Map(received.map((one) => [one.event.id, one])).values()];
  return {
    handle: async (events: readonly ReceivedEvent[]) => void received.push(...events),
    all: () => received,
    unique,
    /** Record numbers of the key in the order in which each was seen first. */
    firstSightOf: (key: string) =>
      unique()
        .filter((one) => one.key === key)
        .map(numberOf),
  };
}
