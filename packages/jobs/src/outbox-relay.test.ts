import { AppError } from '@tollgate/core';
import { createFakeClock, type FakeClock } from '@tollgate/testkit';
import { createOutboxRelay, type OutboxRelay } from './index';

interface Item {
  readonly id: string;
  readonly messages: readonly string[];
}

const RETRY_MS = 60_000;
const forever = new AbortController().signal;

let clock: FakeClock;
let waiting: Map<string, Item>;
let published: string[][];
let events: string[];
let publishFault: (messages: readonly string[]) => Error | undefined;
let relay: OutboxRelay;

beforeEach(() => {
  clock = createFakeClock();
  waiting = new Map();
  published = [];
  events = [];
  publishFault = () => undefined;
  relay = createRelay();
});

function createRelay(publishMax = 3): OutboxRelay {
  return createOutboxRelay<Item, string>({
    outbox: {
      list: async ({ after, limit }) =>
        [...waiting.values()].filter(({ id }) => after === undefined || id > after).slice(0, limit),
      async remove(items) {
        for (const { id } of items) waiting.delete(id);
      },
    },
    toMessages: (items) => items.flatMap(({ messages }) => messages),
    async publish(messages) {
      const fault = publishFault(messages);
      if (fault !== undefined) throw fault;
      published.push([...messages]);
    },
    pageSize: 2,
    publishMax,
    quarantineRetryMs: RETRY_MS,
    clock,
    onPublished: (messages) => events.push(`published ${messages}`),
    onQuarantined: ({ id }, error) => {
      events.push(`quarantined ${id}: ${(error as Error).message}`);
    },
    onReleased: ({ id }) => {
      events.push(`released ${id}`);
    },
  });
}

function put(...items: readonly (readonly [id: string, ...messages: string[]])[]): void {
  for (const [id, ...messages] of items) waiting.set(id, { id, messages });
}

test('everything that waits is published in order, page by page, and then removed', async () => {
  put(['a', 'a1'], ['b', 'b1'], ['c', 'c1']);
  await relay.run(forever);
  expect(published).toEqual([['a1', 'b1'], ['c1']]);
  expect(waiting.size).toBe(0);
  expect(events).toEqual(['published 2', 'published 1']);
});

test('no publication is larger than what the publisher takes', async () => {
  put(['a', 'a1', 'a2'], ['b', 'b1', 'b2', 'b3']);
  await relay.run(forever);
  expect(published).toEqual([
    ['a1', 'a2', 'b1'],
    ['b2', 'b3'],
  ]);
});

const AWAY = ['SERVICE_UNAVAILABLE', 'DATABASE_ERROR'] as const;

test.each(AWAY)('after %s everything stays, and nothing goes into quarantine', async (code) => {
  put(['a', 'a1'], ['b', 'b1']);
  publishFault = () => new AppError(code);
  await expect(relay.run(forever)).rejects.toMatchObject({ code });
  expect([...waiting.keys()]).toEqual(['a', 'b']);
  publishFault = () => undefined;
  await relay.run(forever);
  expect(published).toEqual([['a1', 'b1']]);
  expect(events).toEqual(['published 2']);
});

test('an item that is refused for itself goes into quarantine, and the others go on', async () => {
  put(['a', 'a1'], ['b', 'bad'], ['c', 'c1']);
  publishFault = (messages) => (messages.includes('bad') ? new Error('unsendable') : undefined);
  await relay.run(forever);
  expect(published).toEqual([['a1'], ['c1']]);
  expect([...waiting.keys()]).toEqual(['b']);
  expect(events).toContain('quarantined b: unsendable');
});

test('an item in quarantine is tried again after a while, and released once it works', async () => {
  put(['a', 'bad']);
  publishFault = () => new Error('unsendable');
  await relay.run(forever);
  await relay.run(forever);
  await clock.advance(RETRY_MS);
  await relay.run(forever);
  expect(events).toEqual(['quarantined a: unsendable', 'quarantined a: unsendable']);
  publishFault = () => undefined;
  await clock.advance(RETRY_MS);
  await relay.run(forever);
  expect(events.slice(2)).toEqual(['published 1', 'released a']);
  expect(waiting.size).toBe(0);
});

test('an item that was not removed before a crash is published again', async () => {
  put(['a', 'a1', 'a2']);
  relay = createRelay(1);
  publishFault = ([message]) =>
    message === 'a2' ? new AppError('SERVICE_UNAVAILABLE') : undefined;
  await expect(relay.run(forever)).rejects.toThrow();
  publishFault = () => undefined;
  relay = createRelay(1);
  await relay.run(forever);
  expect(published).toEqual([['a1'], ['a1'], ['a2']]);
});

test('a page is cut where it has messages enough, and is removed before the next is published', async () => {
  put(['a', 'a1', 'a2'], ['b', 'b1', 'b2'], ['c', 'c1'], ['d', 'd1']);
  const cut = createOutboxRelay<Item & { readonly messageCount: number }, string>({
    outbox: {
      async list({ after, messagesMax }) {
        const items = [...waiting.values()]
          .filter(({ id }) => after === undefined || id > after)
          .map((item) => ({ ...item, messageCount: item.messages.length }));
        let messages = 0;
        const end = items.findIndex(({ messageCount }) => {
          messages += messageCount;
          return messages >= messagesMax;
        });
        return end === -1 ? items : items.slice(0, end + 1);
      },
      async remove(items) {
        events.push(`removed ${items.map(({ id }) => id).join()}`);
      },
    },
    toMessages: (items) => items.flatMap(({ messages }) => messages),
    publish: async (messages) => void events.push(`published ${messages.join()}`),
    pageSize: 100,
    pageMessagesMax: 3,
    publishMax: 10,
    quarantineRetryMs: RETRY_MS,
    clock,
    onQuarantined: () => undefined,
  });
  await cut.run(forever);
  expect(events).toEqual([
    'published a1,a2,b1,b2',
    'removed a,b',
    'published c1,d1',
    'removed c,d',
  ]);
});

test('an item that failed before is tried alone: the others of its page are published together', async () => {
  put(['a', 'a1'], ['b', 'bad']);
  let calls = 0;
  publishFault = (messages) => {
    calls += 1;
    return messages.includes('bad') ? new Error('unsendable') : undefined;
  };
  await relay.run(forever);
  put(['a', 'a2']);
  await clock.advance(RETRY_MS);
  calls = 0;
  await relay.run(forever);
  expect(calls).toBe(2);
  expect(published).toEqual([['a1'], ['a2']]);
});

test('a relay that is stopped reads no further page', async () => {
  put(['a', 'a1'], ['b', 'b1'], ['c', 'c1']);
  const stopping = new AbortController();
  publishFault = () => {
    stopping.abort();
    return undefined;
  };
  await relay.run(stopping.signal);
  expect([...waiting.keys()]).toEqual(['c']);
});

test('the next page is read while a page is published', async () => {
  const ids = ['a', 'b', 'c', 'd', 'e'];
  const steps: string[] = [];
  const secondRead = Promise.withResolvers<void>();
  const paged = createOutboxRelay<Item, string>({
    outbox: {
      async list({ after, limit }) {
        steps.push(`read after ${after ?? 'nothing'}`);
        if (after !== undefined) secondRead.resolve();
        return ids
          .filter((id) => after === undefined || id > after)
          .slice(0, limit)
          .map((id) => ({ id, messages: [id] }));
      },
      remove: async () => undefined,
    },
    toMessages: (items) => items.flatMap(({ messages }) => messages),
    async publish(messages) {
      // The first page waits for the read of the second one.
      await secondRead.promise;
      steps.push(`published ${messages.join()}`);
    },
    pageSize: 2,
    publishMax: 3,
    quarantineRetryMs: RETRY_MS,
    clock,
    onQuarantined: () => undefined,
  });
  await paged.run(forever);
  expect(steps.filter((step) => step.startsWith('published'))).toEqual([
    'published a,b',
    'published c,d',
    'published e',
  ]);
  expect(steps.slice(0, 3)).toEqual(['read after nothing', 'read after b', 'published a,b']);
});
