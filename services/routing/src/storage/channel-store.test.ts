import type { ChannelId } from '@tollgate/core';
import { type MongoStore, openMongo } from '@tollgate/mongo';
import { createFakeClock, createRecordingLogger, createTestMongo } from '@tollgate/testkit';
import { channelWith } from '../testing/fixtures';
import { createChannelStore } from './channel-store';
import { COLLECTIONS } from './collections';

let server: Awaited<ReturnType<typeof createTestMongo>>;
let store: MongoStore;

beforeAll(async () => {
  server = await createTestMongo();
  const logger = createRecordingLogger();
  store = openMongo({ uri: server.uriFor('routing'), appName: 'test', logger });
  await store.connect();
});

afterAll(async () => {
  await store.close();
  await server.close();
});

test('a damaged channel is left out of what may be called and named, and keeps no other from it', async () => {
  const logger = createRecordingLogger();
  const channels = createChannelStore(store, { clock: createFakeClock(), logger });
  const damage = {
    chn_models: { $unset: { models: '' } },
    chn_model: { $set: { models: [null] } },
    chn_groups: { $set: { groups: null } },
    chn_type: { $unset: { type: '' } },
    chn_owner: { $unset: { ownerAccountId: '' } },
    chn_health: { $set: { 'health.models': null } },
  } as const;
  const documents = store.connection.collection<{ _id: string }>(COLLECTIONS.channels);
  for (const id of [...Object.keys(damage), 'chn_well']) {
    await channels.insert(channelWith({ id: id as ChannelId }));
  }
  for (const [_id, update] of Object.entries(damage)) await documents.updateOne({ _id }, update);
  expect((await channels.listAll()).map(({ id }) => id)).toEqual(['chn_well']);
  const named = logger.lines.map(({ level, fields }) => [level, fields.channelId]);
  expect(named.toSorted()).toEqual(
    Object.keys(damage)
      .toSorted()
      .map((id) => ['error', id]),
  );
  await documents.deleteOne({ _id: 'chn_well' });
  await expect(channels.listAll()).rejects.toThrow();
});
