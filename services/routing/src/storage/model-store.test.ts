import { type MongoStore, openMongo } from '@tollgate/mongo';
import { createRecordingLogger, createTestMongo } from '@tollgate/testkit';
import { modelNamed } from '../testing/fixtures';
import { COLLECTIONS } from './collections';
import { createModelStore } from './model-store';

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

test('a model that cannot be read is left out of a list and named, and keeps no other from it', async () => {
  const logger = createRecordingLogger();
  const models = createModelStore(store, logger);
  for (const name of ['broken', 'well']) await models.insert(modelNamed(name));
  const documents = store.connection.collection<{ _id: string }>(COLLECTIONS.models);
  await documents.updateOne({ _id: 'broken' }, { $set: { 'prices.0.prompt': 0.5 } });
  expect((await models.listAll()).map(({ name }) => name)).toEqual(['well']);
  expect(logger.lines).toMatchObject([{ level: 'error', fields: { model: 'broken' } }]);
  const found = await models.findNames(['absent', 'broken', 'well']);
  expect(found.toSorted()).toEqual(['broken', 'well']);
  await documents.deleteOne({ _id: 'well' });
  await expect(models.listAll()).rejects.toThrow();
});
