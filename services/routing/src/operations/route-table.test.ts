import { AppError, silentLogger } from '@tollgate/core';
import { createFakeClock } from '@tollgate/testkit';
import { createRouteTableFeed, type RouteTableFeedOptions } from './route-table';

async function startFeed(look: () => Promise<void>) {
  const clock = createFakeClock();
  const none = { listAll: async () => [] };
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
