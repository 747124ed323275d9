import type { MongoStore } from '@tollgate/mongo';
import { createRefusedRequestStore } from '../storage/refused-request-store';
import { openTestStore, type TestStore } from '../testing/open-test-store';
import { createStatsHandlers } from './handlers';

type Handlers = ReturnType<typeof createStatsHandlers>;

let server: TestStore;
let mongo: MongoStore;
let handlers: Handlers;

beforeAll(async () => {
  server = await openTestStore();
  ({ mongo } = await server.openDatabase());
  const refusedRequests = createRefusedRequestStore(mongo);
  // Nothing here asks for figures.
  const options: unknown = { refusedRequests };
  handlers = createStatsHandlers(options as Parameters<typeof createStatsHandlers>[0]);
  const told = { keyId: 'key_1', gatewayId: 'gtw_1', errorCode: 'NOT_FOUND', message: 'No.' };
  const refused = ['1', '2', '3', '4'].map((place) => ({
    ...told,
    requestId: `req_${place}`,
    atMs: 1_000,
    accountId: place === '3' ? 'acc_2' : 'acc_1',
  }));
  await refusedRequests.add(refused);
});

afterAll(async () => {
  await mongo.close();
  await server.close();
});

const call = {} as Parameters<Handlers['listRefusals']>[1];

test('refused requests are listed by pages, of one account or of all, the newest first', async () => {
  const pageOf = async (accountId: string, beforeRequestId: string) => {
    const page = await handlers.listRefusals({ accountId, beforeRequestId, limit: 2 }, call);
    return [page.refusals?.map(({ requestId }) => requestId), page.nextBeforeRequestId];
  };
  expect(await pageOf('acc_1', '')).toEqual([['req_4', 'req_2'], 'req_2']);
  expect(await pageOf('acc_1', 'req_2')).toEqual([['req_1'], '']);
  expect(await pageOf('', '')).toEqual([['req_4', 'req_3'], 'req_3']);
  expect(await pageOf('', 'req_3')).toEqual([['req_2', 'req_1'], '']);
});

test('a refused request of another account is not there', async () => {
  const find = (accountId: string) => handlers.getRefusal({ requestId: 'req_3', accountId }, call);
  expect((await find('')).refusal).toMatchObject({ accountId: 'acc_2', rejected: [] });
  expect((await find('acc_2')).refusal).toMatchObject({ requestId: 'req_3' });
  await expect(find('acc_1')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
