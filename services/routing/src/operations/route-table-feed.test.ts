import { AppError, type ChannelId, nano, silentLogger } from '@tollgate/core';
import { createFakeClock } from '@tollgate/testkit';
import type { Channel } from '../domain/channel';
import { UNKNOWN_HEALTH } from '../domain/channel';
import type { Model } from '../domain/model';
import { channelWith, modelNamed } from '../testing/fixtures';
import { observedChanges } from './route-log';
import { createRouteTableFeed, type RouteTableFeedOptions } from './route-table-feed';

async function startFeed(look: () => Promise<void>) {
  const clock = createFakeClock();
  const none = { listAll: async () => [] };
  // A feed without channels asks for nothing else.
  const feed = createRouteTableFeed({
    channels: none,
    models: none,
    look,
    clock,
    logger: silentLogger,
    revision: () => 1n,
    openCredential: () => '',
    currency: 'USD',
  } as unknown as RouteTableFeedOptions);
  await feed.refresh();
  return { clock, feed };
}

test('a list is answered from memory while the store fails', async () => {
  const { feed } = await startFeed(() => Promise.reject(new AppError('DATABASE_ERROR')));
  expect((await feed.newest()).revision).toBe(1n);
});

test('a list waits half a second for a store that is silent', async () => {
  const { clock, feed } = await startFeed(() => new Promise(() => {}));
  const listed = feed.newest();
  await clock.advance(500);
  expect((await listed).revision).toBe(1n);
});

test('reads that fail are tried again once for all, and not after the stop', async () => {
  const clock = createFakeClock();
  let reads = 0;
  const failing = {
    async listAll() {
      reads += 1;
      throw new AppError('DATABASE_ERROR');
    },
  };
  const feed = createRouteTableFeed({
    channels: failing,
    models: { listAll: async () => [] },
    clock,
    logger: silentLogger,
    revision: () => 1n,
  } as unknown as RouteTableFeedOptions);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await expect(feed.refresh()).rejects.toMatchObject({ code: 'DATABASE_ERROR' });
    await clock.advance(100);
  }
  reads = 0;
  await clock.advance(500);
  expect(reads).toBe(1);
  feed.stop();
  await clock.advance(1_000);
  expect(reads).toBe(1);
});

describe('what is read after a change', () => {
  const seen = { ...UNKNOWN_HEALTH, state: 'healthy' as const, firstTokenMs: 12 };

  async function startCounted() {
    const clock = createFakeClock();
    const read: unknown[] = [];
    const log: string[][] = [];
    let stored: readonly Channel[] = ['a', 'b'].map((id) => channelWith({ id: id as ChannelId }));
    // Of its stores a feed asks nothing else.
    const feed = createRouteTableFeed({
      channels: {
        async listAll() {
          read.push('channels');
          return stored;
        },
        async listHealth(ids: unknown) {
          read.push(ids);
          return new Map([['b', seen]]);
        },
      },
      models: { listAll: async () => [modelNamed('small')] },
      openCredential({ id }: Channel) {
        read.push(`credential of ${id}`);
        return 'secret';
      },
      look: async () => {},
      clock,
      logger: silentLogger,
      revision: () => BigInt(log.length),
      changesSince: (revision: bigint) =>
        revision === BigInt(log.length)
          ? undefined
          : { changes: log.slice(Number(revision)).flat(), reset: false },
      currency: 'USD',
    } as unknown as RouteTableFeedOptions);
    await feed.refresh();
    const after = async (...changes: readonly string[]) => {
      read.length = 0;
      log.push([...changes]);
      await feed.refresh();
      return { read, table: feed.current() };
    };
    const change = (over: Partial<Channel>) => {
      stored = stored.map((each) => ({ ...each, ...over }));
    };
    return { clock, feed, after, change };
  }

  const WHOLE = ['channels', 'credential of a', 'credential of b'];

  test('is the health of the channels whose calls were seen, and nothing else', async () => {
    const { feed, after } = await startCounted();
    const [first] = feed.current().channels;
    const { read, table } = await after(...observedChanges(['b']));
    expect(read).toEqual([['b']]);
    expect(table.revision).toBe(1n);
    expect(table.channels[0]).toBe(first);
    expect(table.channels[1]).toMatchObject({ credential: 'secret', health: seen });
    const many = Array.from({ length: 501 }, (_, index) => `chn_${index}`);
    expect((await after(...observedChanges(many))).read).toEqual(['all']);
  });

  test('is nothing when a change was read already', async () => {
    const { after, feed } = await startCounted();
    const { read } = await after('channel:a');
    expect(read).toEqual(WHOLE);
    await feed.refresh();
    expect(read).toEqual(WHOLE);
  });

  test('is all of it when anything else changed as well, also what an older version says', async () => {
    const { after, change } = await startCounted();
    change({ priority: 9 });
    const { read, table } = await after(...observedChanges(['b']), 'channel:a');
    expect(read).toEqual(WHOLE);
    expect(table.channels[0]?.priority).toBe(9);
    expect((await after('health')).read).toEqual(WHOLE);
  });

  test('is all of it once a minute: a writer may die before it tells', async () => {
    const { after, change, clock } = await startCounted();
    change({ priority: 9 });
    await clock.advance(59_000);
    expect((await after(...observedChanges(['b']))).table.channels[0]?.priority).toBe(0);
    await clock.advance(1_000);
    expect((await after(...observedChanges(['b']))).table.channels[0]?.priority).toBe(9);
  });
});

describe('a price whose time lies ahead', () => {
  const HOUR_MS = 3_600_000;
  const startAtMs = createFakeClock().now();
  const dearer = { prompt: nano(7n), completion: nano(7n), cachedPrompt: nano(7n) };
  const modelAhead = (name: string, ...aheadMs: readonly number[]): Model => {
    const model = modelNamed(name);
    const later = aheadMs.map((ms, at) => ({
      ...dearer,
      version: at + 2,
      effectiveAtMs: startAtMs + ms,
    }));
    return { ...model, prices: [...model.prices, ...later] };
  };

  async function startAhead(models: readonly Model[], failures = 0) {
    const clock = createFakeClock();
    const log: string[] = [];
    const seen: (number | undefined)[][] = [];
    let left = failures;
    const feed = createRouteTableFeed({
      channels: { listAll: async () => [] },
      models: { listAll: async () => models },
      async announce(change: string) {
        left -= 1;
        if (left >= 0) throw new AppError('DATABASE_ERROR');
        log.push(change);
        await feed.refresh();
      },
      clock,
      logger: silentLogger,
      revision: () => BigInt(log.length),
      changesSince: (revision: bigint) =>
        revision === BigInt(log.length)
          ? undefined
          : { changes: log.slice(Number(revision)), reset: false },
      currency: 'USD',
    } as unknown as RouteTableFeedOptions);
    await feed.refresh();
    feed.subscribe((table) => seen.push(table.models.map(({ price }) => price.version)));
    return { clock, feed, log, seen };
  }

  test('comes into force by itself, with a revision that followers are sent', async () => {
    const { clock, feed, log, seen } = await startAhead([
      modelAhead('late', HOUR_MS),
      modelAhead('twice', 5_000, HOUR_MS + 1),
    ]);
    await clock.advance(4_999);
    expect(log).toEqual([]);
    await clock.advance(1);
    expect(seen).toEqual([[1, 2]]);
    expect(feed.current().revision).toBe(1n);
    await clock.advance(HOUR_MS);
    expect(log).toEqual(['model:twice', 'model:late', 'model:twice']);
    expect(seen).toEqual([
      [1, 2],
      [2, 2],
      [2, 3],
    ]);
  });

  test('is told again after a failure, and not after the stop', async () => {
    const { clock, feed, log } = await startAhead([modelAhead('m', 1_000, 9_000)], 1);
    await clock.advance(1_000);
    expect(log).toEqual([]);
    await clock.advance(5_000);
    expect(log).toEqual(['model:m']);
    feed.stop();
    await clock.advance(HOUR_MS);
    expect(log).toEqual(['model:m']);
  });
});
