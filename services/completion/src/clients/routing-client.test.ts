import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSystemClock, silentLogger } from '@tollgate/core';
import { createMetrics } from '@tollgate/observability';
import type { routingV1 } from '@tollgate/protos';
import { waitFor } from '@tollgate/testkit';
import type { RouteTable } from '../routing/route-table';
import { createRoutingPeer } from '../testing/fake-peers';
import { createRoutingClient } from './routing-client';

const security = { serviceSecret: 'a secret of a test, long enough to be one', plaintext: false };
const MODEL: routingV1.Model = {
  name: 'small',
  kind: 'MODEL_KIND_CHAT',
  pricing: { prompt: '1', completion: '2', cachedPrompt: '1', version: 1 },
};

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tg-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const channel = (id: string, priority = 1): routingV1.RouteChannel => ({
  id,
  priority,
  type: 'CHANNEL_TYPE_OPENAI',
  weight: 1,
  models: [{ name: 'small', upstreamName: 'small' }],
});

/** Follows a routing that sends these; answers the tables that came of them. */
async function follow(
  messages: readonly routingV1.WatchRouteTableResponse[],
  count: number,
): Promise<readonly RouteTable[]> {
  const host = { clock: createSystemClock(), logger: silentLogger, metrics: createMetrics() };
  const listen = `unix:${join(directory, 'routing')}`;
  const peer = createRoutingPeer(() => messages, [], listen, security, host);
  await peer.listen();
  const client = createRoutingClient({
    address: listen,
    security,
    host,
    deadlineMs: 20_000,
    silenceTimeoutMs: 20_000,
  });
  const tables: RouteTable[] = [];
  const following = client.follow((table) => tables.push(table));
  try {
    await waitFor(() => tables.length === count);
    return tables;
  } finally {
    following.stop();
    client.close();
    await peer.close();
  }
}

const channelsOf = ({ channels }: RouteTable) =>
  channels.map(({ id, priority, models }) => [id, priority, models[0]?.healthy]);

test('changes add up to tables, each in force with its last part', async () => {
  const unhealthy = { channelId: 'a', health: { state: 'HEALTH_STATE_UNHEALTHY' } } as const;
  const tables = await follow(
    [
      { revision: '4', changes: { reset: true, channels: [channel('a')], more: true } },
      { revision: '4', changes: { channels: [channel('b')], models: [MODEL] } },
      { revision: '4' },
      { revision: '5', changes: { health: [unhealthy] } },
      { revision: '6', changes: { channels: [channel('b', 2)], removedChannels: ['a'] } },
      { revision: '7', changes: { reset: true } },
    ],
    4,
  );
  expect(tables.map(channelsOf)).toEqual([
    [
      ['a', 1, true],
      ['b', 1, true],
    ],
    [
      ['a', 1, false],
      ['b', 1, true],
    ],
    [['b', 2, true]],
    [],
  ]);
  expect(tables.map(({ models }) => [...models.keys()])).toEqual([
    ['small'],
    ['small'],
    ['small'],
    [],
  ]);
});

test('what a change does not concern is the same as before, ready to be chosen from', async () => {
  const unhealthy = { channelId: 'a', health: { state: 'HEALTH_STATE_UNHEALTHY' } } as const;
  const dearer: routingV1.Model = { ...MODEL, pricing: { ...MODEL.pricing, completion: '9' } };
  const tables = await follow(
    [
      { revision: '4', changes: { reset: true, channels: [channel('a'), channel('b')] } },
      { revision: '5', changes: { models: [MODEL] } },
      { revision: '6', changes: { health: [unhealthy] } },
      { revision: '7', changes: { models: [dearer] } },
    ],
    4,
  );
  const offered = tables.map(({ channelSets }) =>
    ['a', 'b'].map((id) =>
      [...channelSets.values()]
        .flatMap(({ candidates }) => candidates)
        .find((candidate) => candidate.channel.id === id),
    ),
  );
  expect(offered[0]).toEqual([undefined, undefined]);
  expect(offered[2]?.[0]).toMatchObject({ healthy: false });
  expect(offered[2]?.[1]).toBe(offered[1]?.[1]);
  expect(offered[3]?.[0]).toMatchObject({ healthy: false });
  expect(offered[3]?.[1]?.model.prices.completion).toBe(9n);
});

test('a vendor may count as much as it published, where the catalogue has a shorter context', async () => {
  const models: routingV1.Model[] = [
    { ...MODEL, name: 'tiered', contextLength: 200_000, vendorContextLength: 1_048_576 },
    { ...MODEL, name: 'raised', contextLength: 300_000, vendorContextLength: 200_000 },
    { ...MODEL, name: 'of-nobody', contextLength: 128_000 },
    { ...MODEL, name: 'unbounded', contextLength: 0, vendorContextLength: 200_000 },
  ];
  const [table] = await follow([{ revision: '1', changes: { reset: true, models } }], 1);
  const most = [...(table?.models.values() ?? [])].map((model) => [
    model.name,
    model.vendorTokensMax,
  ]);
  expect(most).toEqual([
    ['tiered', 1_048_576],
    ['raised', 300_000],
    ['of-nobody', 128_000],
    ['unbounded', 0],
  ]);
});

test('a model whose price nobody set is known as such', async () => {
  const named = (name: string, source: string): routingV1.Model => ({
    ...MODEL,
    name,
    pricing: { ...MODEL.pricing, source },
  });
  const models = [named('small', ''), named('listed', 'list'), named('unset', 'default')];
  const [table] = await follow([{ revision: '1', changes: { reset: true, models } }], 1);
  const unpriced = [...(table?.models.values() ?? [])].map((model) => [model.name, model.unpriced]);
  expect(unpriced).toEqual([
    ['small', false],
    ['listed', false],
    ['unset', true],
  ]);
});
