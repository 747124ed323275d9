import type { RunningEngine } from '../engines/engine-process';
import { mongodbObstacle, startMongodb } from '../engines/mongodb';
import { createKey } from '../support/accounts';
import { createApi } from '../support/api';
import { describeUnless } from '../support/describe-unless';
import { eventually } from '../support/eventually';
import { callCase, OPERATION_CASES } from '../support/openapi/openapi-cases';
import {
  CHAT,
  type OpenApiFixture,
  refuseOne,
  startOpenApiFixture,
} from '../support/openapi/openapi-fixture';
import {
  endRecording,
  explain,
  multiply,
  readRecorded,
  recordQueries,
} from './query-plans/query-plans';

jest.setTimeout(600_000);

const DATABASE = 'tollgate';
/** Of each collection. The plans are those of the whole run, which has 100,000. */
const DOCUMENTS = Number(process.env.QUERY_PLAN_DOCUMENTS ?? 2_000);

/** What jobs ask for, of which no answer tells that it was asked. */
const ASKED_BY_JOBS = [
  'billing_accounts find {sweep_at',
  'billing_accounts find {swept_at',
  'billing_accounts find {journal_at',
  'billing_claims find {open',
  'billing_erasures find {open',
  'billing_outbox find',
  'channels find {outbox.id',
  'identity_accounts find {outboxPending',
  'identity_accounts find {status',
  'identity_api_keys find {gatewaysPending',
  'webhook_deliveries find {status',
  'webhook_endpoints find {dueAtMs',
  'webhook_erasures find {} {_id',
];

/** What consumers of events ask for, and pages after the first. */
const ASKED_LATER = [
  'denial_buckets update [{q: {_id: ?, revision: ?}',
  'refused_requests find {_id: {$lt: ?}} {_id: ?}',
  'refused_requests find {_id: ?}',
];

/**
 * What has to be answered by an index of its own. Without it the plan would be another index, which
 * reads what belongs to everybody else.
 */
const ANSWERED_BY: Readonly<Record<string, string>> = {
  'billing_codes find {preview: ?} {_id: ?}': 'preview',
  'denial_buckets find {_id: {$in: [?]}}': '_id_',
  'denial_buckets find {accountId: ?, granularity: ?, start: {$gte: ?, $lt: ?}}':
    'accountId_1_granularity_1_start_1',
  'denial_buckets find {accountId: {$in: [?]}, granularity: ?, start: {$gte: ?, $lt: ?}}':
    'accountId_1_granularity_1_start_1',
  'denial_buckets find {granularity: ?, start: {$gte: ?, $lt: ?}}': 'granularity_1_start_1',
  'identity_api_keys aggregate [{$match: {accountId: ?, revokedAt: ?}}, {$limit: ?}, {$group: {_id: ?, n: {$sum: ?}}}]':
    'accountId_1_revokedAt_1__id_-1',
  'identity_api_keys find {publicId: {$gte: ?, $lt: ?}} {publicId: ?}': 'publicId_1',
  'identity_api_keys find {publicId: {$in: [?]}} {publicId: ?}': 'publicId_1',
  'refused_requests find {accountId: ?} {_id: ?}': 'accountId_1__id_-1',
  'refused_requests find {accountId: ?, _id: {$lt: ?}} {_id: ?}': 'accountId_1__id_-1',
  'usage_figures find {accountId: ?, granularity: ?, start: {$gte: ?, $lt: ?}}':
    'accountId_1_granularity_1_start_1',
  'usage_figures find {accountId: {$in: [?]}, granularity: ?, start: {$gte: ?, $lt: ?}}':
    'accountId_1_granularity_1_start_1',
  'usage_figures find {granularity: ?, start: {$gte: ?, $lt: ?}}': 'granularity_1_start_1',
  'webhook_deliveries find {accountId: ?, createdAtMs: {$gte: ?, $lt: ?}} {createdAtMs: ?}':
    'accountId_1_createdAtMs_1',
  'webhook_deliveries find {accountId: ?} {createdAtMs: ?}': 'accountId_1_createdAtMs_1',
};

/** Collections that are read as a whole, because all of it is wanted, and that are bounded. */
const READ_AS_A_WHOLE = [
  'billing_plans find {}',
  'channels aggregate [{$match: {}}, {$group: {_id: ?, n: {$sum: ?}}}]',
  'models aggregate [{$match: {}}, {$group: {_id: ?, n: {$sum: ?}}}]',
];

/** A first start, once: the collection has nothing yet. */
const ASKED_AT_THE_START = ['identity_users find {}'];

/** Calls every operation, and what only a refusal asks the store for. */
async function useEverything(fixture: OpenApiFixture): Promise<void> {
  for (const one of OPERATION_CASES) await callCase(one, fixture);
  const { key, session } = fixture.callers;
  await key.request('POST', '/v1/chat/completions', { body: { ...CHAT, stream: true } });
  // The last operator stays, though there is another owner: both have to be looked up.
  const owner = { email: 'owner@walk.test', password: 'a-long-password', role: 'owner' };
  await session.post('/v1/account/members', owner);
  const { id } = await session.get('/v1/users/me');
  expect((await session.request('DELETE', `/v1/account/members/${String(id)}`)).status).toBe(409);
  await session.get('/v1/admin/codes?preview=4Z7K');
  await session.get('/v1/stats?account_id=acc_a,acc_b&group_by=account');
  await beRefused(fixture);
  await mistypeKey(fixture);
}

/** By a limit, which is counted, and twice otherwise, so that the list has a second page. */
async function beRefused({ callers: { key, session } }: OpenApiFixture): Promise<void> {
  const { api } = await createKey(session, { requests_per_minute: 1 });
  const ask = () => api.request('POST', '/v1/chat/completions', { body: CHAT });
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 429]);
  for (let refused = 0; refused < 2; refused += 1) await refuseOne(key);
  for (const path of ['/v1/refusals', '/v1/admin/refusals']) {
    const { next_cursor } = await key.get(`${path}?limit=1`);
    await key.get(`${path}?limit=1&cursor=${String(next_cursor)}`);
  }
}

/** Its first part lacks a character: an operator is told which key it resembles. */
async function mistypeKey({ callers: { session }, tollgate }: OpenApiFixture): Promise<void> {
  const { id, secret } = await createKey(session);
  const mistyped = createApi(tollgate.baseUrl, secret.replace(/([0-9a-z]{15})[0-9a-z]_/, '$1_'));
  const refused = await mistyped.request('POST', '/v1/chat/completions', { body: CHAT });
  expect(refused.status).toBe(401);
  const path = `/v1/admin/requests/${refused.headers.get('x-request-id')}`;
  await eventually(
    () => session.request('GET', path),
    ({ text }) => text.includes(id),
  );
}

describeUnless(mongodbObstacle(), 'queries on a MongoDB server', () => {
  let mongodb: RunningEngine;
  let fixture: OpenApiFixture | undefined;

  beforeAll(async () => {
    mongodb = await startMongodb({ report: () => undefined, detached: false });
  });

  afterAll(async () => {
    await fixture?.stop();
    await mongodb?.stop();
  });

  test('of every operation and every job use an index and need no sorting', async () => {
    const port = Number(new URL(mongodb.url).port);
    const MONGODB_URI = mongodb.url.replace('/?', `/${DATABASE}?`);
    // From the start: some jobs look at everything when they begin, and then once a minute.
    await recordQueries(port, DATABASE);
    fixture = await startOpenApiFixture({ MONGODB_URI });
    await useEverything(fixture);
    const asked = [...ASKED_BY_JOBS, ...ASKED_LATER, ...Object.keys(ANSWERED_BY)];
    const nameOf = (one: { collection: string; shape: string }) => `${one.collection} ${one.shape}`;
    const recorded = await eventually(
      () => readRecorded(port, DATABASE),
      (all) => asked.every((start) => all.some((one) => nameOf(one).startsWith(start))),
    );
    const ofOperators = 'identity_users find {role: ?, status: ?}';
    expect(recorded.map(nameOf).filter((name) => name.startsWith(ofOperators))).toHaveLength(1);
    await endRecording(port, DATABASE);
    const code = await fixture.stop();
    fixture = undefined;
    expect(code).toBe(0);
    const collections = new Set(recorded.map(({ collection }) => collection));
    expect([recorded.length >= 100, collections.size >= 25]).toEqual([true, true]);

    for (const name of collections) await multiply(port, DATABASE, name, DOCUMENTS);
    const slow: string[] = [];
    const answeredBy: Record<string, string> = {};
    for (const query of recorded) {
      const { stages, indexes } = await explain(port, DATABASE, query);
      if (nameOf(query) in ANSWERED_BY) answeredBy[nameOf(query)] = indexes.join(' ');
      if (stages.includes('COLLSCAN') || stages.includes('SORT')) slow.push(nameOf(query));
    }
    expect(answeredBy).toEqual(ANSWERED_BY);
    expect(slow.sort()).toEqual([...READ_AS_A_WHOLE, ...ASKED_AT_THE_START].sort());
  });
});
