import type { ChannelId } from '@tollgate/core';
import { buildRouteTable, type RouteTable } from '../domain/route-table';
import { channelWith, modelNamed } from '../testing/fixtures';
import { changesBetween } from './route-changes';

const CHANNELS = 1_200;
const KIB = 1024;

function tableOf(changed: Partial<ReturnType<typeof channelWith>> = {}): RouteTable {
  const models = Array.from({ length: 10 }, (_, index) => modelNamed(`model ${index}`));
  const served = models.map(({ name }) => ({ name, upstreamName: name }));
  const channels = Array.from({ length: CHANNELS }, (_, index) =>
    channelWith({
      id: `chn_${index}` as ChannelId,
      models: served,
      ...(index === 7 ? changed : {}),
    }),
  );
  const openCredential = () => 'secret';
  return buildRouteTable({
    revision: 1n,
    channels,
    models,
    currency: 'USD',
    atMs: 1,
    openCredential,
  });
}

test('a whole table comes in messages of bounded size, and is in force with the last', () => {
  const messages = changesBetween(undefined, tableOf());
  expect(messages.map(({ reset, more }) => [reset, more])).toEqual([
    [true, true],
    [false, true],
    [false, false],
  ]);
  expect(messages.flatMap(({ channels = [] }) => channels)).toHaveLength(CHANNELS);
  expect(messages.flatMap(({ models = [] }) => models)).toHaveLength(10);
  for (const message of messages) {
    expect(JSON.stringify(message).length).toBeLessThan(4 * KIB * KIB);
  }
});

test('the health of a channel comes without its configuration, and nothing of the others', () => {
  const health = { ...channelWith().health, state: 'unhealthy' as const, checkedAtMs: 5 };
  const [message, ...more] = changesBetween(tableOf(), tableOf({ health }));
  expect(more).toEqual([]);
  expect(message).toMatchObject({
    reset: false,
    channels: [],
    models: [],
    removedChannels: [],
    removedModels: [],
    health: [{ channelId: 'chn_7', health: { state: 'HEALTH_STATE_UNHEALTHY' } }],
  });
});

test('a channel that is configured anew or no longer serves is told as that', () => {
  const [anew] = changesBetween(tableOf(), tableOf({ priority: 9 }));
  expect(anew).toMatchObject({ channels: [{ id: 'chn_7', priority: 9 }], health: [] });
  const [gone] = changesBetween(tableOf(), tableOf({ status: 'disabled' }));
  expect(gone).toMatchObject({ channels: [], removedChannels: ['chn_7'] });
});
