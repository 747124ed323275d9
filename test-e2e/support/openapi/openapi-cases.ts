import type { ApiAnswer, ApiData } from '../api';
import { PAYMENTS } from '../payments';
import { addEmbeddingModel } from '../vendors/simulator';
import {
  type CallerName,
  CHAT,
  channelBody,
  modelBody,
  type OpenApiFixture,
  planBody,
  simulatorOf,
} from './openapi-fixture';
import { browserBack, signedInQuery } from './openapi-sign-in';

/** One operation and a call of it that succeeds. */
export interface OperationCase {
  readonly method: string;
  /** As in the document. */
  readonly path: string;
  readonly as: CallerName;
  readonly status: number;
  /** Whether unmodified client libraries read its payload without an envelope. */
  readonly plain: boolean;
  /** What the call carries besides the id, made afresh for every call. */
  content(fixture: OpenApiFixture): Promise<Omit<Arranged, 'id'>>;
  /** The same, and the id of a record that was made for this call. */
  arrange(fixture: OpenApiFixture): Promise<Arranged>;
}

/** The variable parts of one call. */
export interface Arranged {
  /** In place of the path's parameter. */
  readonly id?: string;
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

type Source<Value> = Value | ((fixture: OpenApiFixture) => Value | Promise<Value>);

interface Details {
  readonly as?: CallerName;
  readonly status?: number;
  readonly plain?: true;
  readonly id?: Source<string>;
  readonly query?: Source<string>;
  readonly body?: Source<unknown>;
  readonly headers?: Source<Readonly<Record<string, string>>>;
  /** A body and headers that belong together, in place of the two. */
  readonly call?: Source<Pick<Arranged, 'body' | 'headers'>>;
}

function row(method: string, path: string, details: Details = {}): OperationCase {
  const { as = 'key', status = 200, plain = false, id, query, body, headers, call } = details;
  const content = async (fixture: OpenApiFixture): Promise<Omit<Arranged, 'id'>> => ({
    ...(query === undefined ? {} : { query: await make(query, fixture) }),
    ...(body === undefined ? {} : { body: await make(body, fixture) }),
    ...(headers === undefined ? {} : { headers: await make(headers, fixture) }),
    ...(call === undefined ? {} : await make(call, fixture)),
  });
  const arrange = async (fixture: OpenApiFixture): Promise<Arranged> => ({
    ...(id === undefined ? {} : { id: await make(id, fixture) }),
    ...(await content(fixture)),
  });
  return { method, path, as, status, plain, content, arrange };
}

async function make<Value>(source: Source<Value>, fixture: OpenApiFixture): Promise<Value> {
  if (typeof source !== 'function') return source;
  return await (source as (fixture: OpenApiFixture) => Value | Promise<Value>)(fixture);
}

const PASSWORD = 'a-long-password';
const person = (fixture: OpenApiFixture) => ({
  email: `${fixture.unique('person')}@walk.test`,
  password: PASSWORD,
});
const newUser = (fixture: OpenApiFixture) => fixture.newUser(fixture.account.id);

const bearerOf = (session: ApiData) => ({
  authorization: `Bearer ${String(session.access_token)}`,
});
const credentials = ({ operator: { email, password } }: OpenApiFixture) => ({ email, password });

/** A session that nothing else uses. */
async function newSession({ callers, operator }: OpenApiFixture) {
  const { email, password } = operator;
  return callers.anyone.post('/v1/users/login', { email, password });
}

const paymentOf = ({ account: { id } }: OpenApiFixture) => ({
  type: 'topup.succeeded',
  data: { account_id: id, amount: '1.00', currency: 'USD' },
});

const { max_tokens: _max, ...COUNT } = CHAT;
const models: readonly OperationCase[] = [
  row('POST', '/v1/llm/chat/completions', { body: CHAT }),
  row('POST', '/v1/chat/completions', { body: CHAT, plain: true }),
  row('POST', '/v1/messages', { body: CHAT, plain: true }),
  row('POST', '/v1/messages/count_tokens', { body: COUNT, plain: true }),
  row('POST', '/v1/responses', { body: { model: 'sim-small', input: 'hello' }, plain: true }),
  row('POST', '/v1/embeddings', {
    body: async (fixture: OpenApiFixture) => {
      const model = fixture.unique('vectors');
      await addEmbeddingModel(fixture.callers.key, model);
      return { model, input: 'hello' };
    },
    plain: true,
  }),
  row('POST', '/v1/llm/route/explain', { body: CHAT }),
  row('GET', '/v1/llm/models'),
  row('GET', '/v1/models', { plain: true }),
  row('GET', '/v1/models/{id}', { id: 'sim-small', plain: true }),
];

const account: readonly OperationCase[] = [
  row('POST', '/v1/topups/{provider}', {
    as: 'anyone',
    id: PAYMENTS.provider,
    body: paymentOf,
    headers: (fixture) => PAYMENTS.sign(paymentOf(fixture), fixture.unique('evt')),
  }),
  row('POST', '/v1/account/redeem', {
    body: async (fixture: OpenApiFixture) => ({ code: (await fixture.newCodes()).text }),
  }),
  row('GET', '/v1/keys', { query: 'limit=200' }),
  row('POST', '/v1/keys', {
    status: 201,
    body: {
      name: 'everything',
      scopes: ['completions', 'keys'],
      models: ['sim-small'],
      pools: ['self'],
      allowed_ips: ['10.0.0.0/8'],
      expires_at: '2999-01-31T12:00:00.000Z',
      max_budget: '10.00',
      budget_period: 'month',
      requests_per_minute: 10,
      requests_per_day: 100,
      concurrent_requests: 2,
      metadata: { team: 'a' },
    },
  }),
  row('GET', '/v1/keys/{id}', { id: (fixture) => fixture.newKey() }),
  row('PATCH', '/v1/keys/{id}', { id: (fixture) => fixture.newKey(), body: { name: 'renamed' } }),
  row('PUT', '/v1/keys/{id}', { id: (fixture) => fixture.newKey(), body: { name: 'whole' } }),
  row('DELETE', '/v1/keys/{id}', { id: (fixture) => fixture.newKey() }),
  row('POST', '/v1/keys/{id}/rotate', {
    id: (fixture) => fixture.newKey(),
    body: { grace_period_seconds: 60 },
  }),
  row('GET', '/v1/billing/balance'),
  row('GET', '/v1/billing/plans'),
  row('GET', '/v1/billing/ledger', { query: 'limit=200' }),
  row('GET', '/v1/billing/receipts/{request_id}', { id: (fixture) => fixture.settledRequest() }),
  row('GET', '/v1/billing/thresholds'),
  row('PUT', '/v1/billing/thresholds', { body: { amounts: ['0.01'], days: [3] } }),
  row('DELETE', '/v1/billing/thresholds'),
  row('GET', '/v1/billing/statements'),
  row('GET', '/v1/billing/statements/{month}', {
    id: async () => new Date().toISOString().slice(0, 'yyyy-mm'.length),
  }),
  row('GET', '/v1/requests', { query: 'limit=200&status=succeeded' }),
  row('GET', '/v1/requests/{request_id}', { id: (fixture) => fixture.settledRequest() }),
  row('GET', '/v1/requests/{request_id}/answer', {
    id: (fixture) => fixture.keptRequest(),
    plain: true,
  }),
  row('GET', '/v1/refusals', { query: 'limit=1' }),
  row('GET', '/v1/stats', { query: 'interval=hour&group_by=model,key,status' }),
  row('GET', '/v1/account/members', { as: 'session' }),
  row('POST', '/v1/account/members', { as: 'session', status: 201, body: person }),
  row('GET', '/v1/account/members/{id}', { as: 'session', id: (fixture) => fixture.newMember() }),
  row('PATCH', '/v1/account/members/{id}', {
    as: 'session',
    id: (fixture) => fixture.newMember(),
    body: { role: 'admin' },
  }),
  row('DELETE', '/v1/account/members/{id}', {
    as: 'session',
    id: (fixture) => fixture.newMember(),
  }),
];

const users: readonly OperationCase[] = [
  row('POST', '/v1/users/login', { as: 'anyone', body: credentials }),
  row('POST', '/v1/users/refresh', {
    as: 'anyone',
    body: async (fixture: OpenApiFixture) => ({
      refresh_token: (await newSession(fixture)).refresh_token,
    }),
  }),
  row('POST', '/v1/users', { as: 'anyone', status: 201, body: person }),
  row('GET', '/v1/users/me', { as: 'session' }),
  row('POST', '/v1/users/logout', {
    as: 'session',
    body: {},
    headers: async (fixture) => bearerOf(await newSession(fixture)),
  }),
  row('POST', '/v1/users/password', {
    as: 'session',
    body: { current_password: PASSWORD, new_password: `another-${PASSWORD}` },
    headers: async (fixture) => {
      const { email } = await fixture.callers.anyone.post('/v1/users', person(fixture));
      const credentialsOfPerson = { email, password: PASSWORD };
      return bearerOf(await fixture.callers.anyone.post('/v1/users/login', credentialsOfPerson));
    },
  }),
  row('POST', '/v1/users/reset-password', {
    as: 'anyone',
    body: async (fixture: OpenApiFixture) => {
      const path = `/v1/admin/users/${await newUser(fixture)}/reset-password`;
      const { code } = await fixture.callers.key.post(path, {});
      return { code, new_password: `another-${PASSWORD}` };
    },
  }),
  row('GET', '/v1/oauth/providers', { as: 'anyone' }),
  row('GET', '/v1/oauth/login', { as: 'anyone', query: 'provider=company' }),
  row('GET', '/v1/oauth/callback', { as: 'anyone', query: signedInQuery }),
  row('POST', '/v1/oauth/token', {
    as: 'anyone',
    call: browserBack,
  }),
];

const webhook = '/v1/webhooks/{id}';
const newWebhook = (fixture: OpenApiFixture) => fixture.newWebhook();
const webhooks: readonly OperationCase[] = [
  row('GET', '/v1/webhooks'),
  row('POST', '/v1/webhooks', {
    status: 201,
    body: ({ receiver }: OpenApiFixture) => ({
      url: receiver.url('/walk'),
      events: ['key.created'],
      description: 'of the walk',
    }),
  }),
  row('GET', webhook, { id: newWebhook }),
  row('PATCH', webhook, { id: newWebhook, body: { description: 'changed' } }),
  row('PUT', webhook, {
    id: newWebhook,
    body: ({ receiver }: OpenApiFixture) => ({
      url: receiver.url('/walk'),
      events: ['key.created'],
    }),
  }),
  row('DELETE', webhook, { id: newWebhook }),
  row('POST', `${webhook}/rotate-secret`, { id: newWebhook, body: {} }),
  row('POST', `${webhook}/test`, { id: newWebhook, body: {} }),
  row('GET', `${webhook}/deliveries`, { id: newWebhook }),
  row('POST', '/v1/webhooks/deliveries/{id}/redeliver', {
    id: (fixture) => fixture.newDelivery(),
    body: {},
  }),
];

const channel = '/v1/admin/channels/{id}';
const newChannel = (fixture: OpenApiFixture) => fixture.newChannel();
const accountOf = ({ account: { id } }: OpenApiFixture) => id;
const operator: readonly OperationCase[] = [
  row('GET', '/v1/admin/channels'),
  row('POST', '/v1/admin/channels', {
    status: 201,
    body: async (fixture: OpenApiFixture) =>
      channelBody(fixture.unique('channel'), await simulatorOf(fixture.callers.key)),
  }),
  row('POST', '/v1/admin/channels/discover', {
    body: async (fixture: OpenApiFixture) => ({
      type: 'openai',
      base_url: await simulatorOf(fixture.callers.key),
    }),
  }),
  row('GET', channel, { id: newChannel }),
  row('PUT', channel, { id: newChannel, body: { weight: 3 } }),
  row('PATCH', channel, { id: newChannel, body: { weight: 3 } }),
  row('DELETE', channel, { id: newChannel }),
  row('POST', `${channel}/health`, { id: newChannel, body: {} }),
  row('GET', '/v1/admin/models'),
  row('POST', '/v1/admin/models', {
    status: 201,
    body: (fixture: OpenApiFixture) => modelBody(fixture.unique('model')),
  }),
  row('GET', '/v1/admin/models/export'),
  row('POST', '/v1/admin/models/import', {
    body: (fixture: OpenApiFixture) => ({
      dry_run: false,
      models: [modelBody(fixture.unique('model'))],
    }),
  }),
  row('PUT', '/v1/admin/models/{id}', {
    id: (fixture) => fixture.newModel(),
    body: { ...modelBody(''), name: undefined },
  }),
  row('GET', '/v1/admin/models/{id}', { id: (fixture) => fixture.newModel() }),
  row('PATCH', '/v1/admin/models/{id}', {
    id: (fixture) => fixture.newModel(),
    body: { pricing: { completion: '1.50' } },
  }),
  row('DELETE', '/v1/admin/models/{id}', { id: (fixture) => fixture.newModel() }),
  row('GET', '/v1/admin/accounts'),
  row('POST', '/v1/admin/accounts', {
    status: 201,
    body: (fixture: OpenApiFixture) => ({
      name: fixture.unique('Account'),
      owner: person(fixture),
    }),
  }),
  row('GET', '/v1/admin/accounts/{id}', { id: accountOf }),
  row('PATCH', '/v1/admin/accounts/{id}', { id: accountOf, body: { status: 'active' } }),
  row('POST', '/v1/admin/accounts/{id}/export', { id: accountOf, body: { format: 'jsonl' } }),
  row('PUT', '/v1/admin/accounts/{id}', {
    id: accountOf,
    body: { name: 'whole', status: 'active', overrides: { groups: [] } },
  }),
  row('DELETE', '/v1/admin/accounts/{id}', {
    id: (fixture) => fixture.newAccount(),
    headers: (fixture) => ({ 'idempotency-key': fixture.unique('erasure') }),
  }),
  row('GET', '/v1/admin/accounts/{id}/balance', { id: accountOf }),
  row('GET', '/v1/admin/accounts/{id}/ledger', { id: accountOf, query: 'kind=credit' }),
  row('GET', '/v1/admin/accounts/{id}/keys', { id: accountOf }),
  row('GET', '/v1/admin/accounts/{id}/members', { id: accountOf }),
  row('POST', '/v1/admin/accounts/{id}/credits', {
    status: 201,
    id: accountOf,
    body: { amount: '1.00' },
    headers: (fixture) => ({ 'idempotency-key': fixture.unique('credit') }),
  }),
  row('POST', '/v1/admin/accounts/{id}/adjustments', {
    status: 201,
    id: accountOf,
    body: { amount: '0.50', reason: 'a correction' },
    headers: (fixture) => ({ 'idempotency-key': fixture.unique('adjustment') }),
  }),
  row('PUT', '/v1/admin/accounts/{id}/plan', { id: accountOf, body: { plan: 'smart' } }),
  row('GET', '/v1/admin/plans'),
  row('POST', '/v1/admin/plans', {
    status: 201,
    body: (fixture: OpenApiFixture) => planBody(fixture.unique('plan')),
  }),
  row('GET', '/v1/admin/plans/{id}', { id: (fixture) => fixture.newPlan() }),
  row('PATCH', '/v1/admin/plans/{id}', {
    id: (fixture) => fixture.newPlan(),
    body: { requests_per_minute: 600, groups: ['batch'] },
  }),
  row('PUT', '/v1/admin/plans/{id}', {
    id: (fixture) => fixture.newPlan(),
    body: () => {
      const { id: _, ...whole } = planBody('whole');
      return whole;
    },
  }),
  row('GET', '/v1/admin/codes', { query: 'limit=5' }),
  row('POST', '/v1/admin/codes', {
    status: 201,
    body: { amount: '1.00', count: 2, note: 'walk', expires_at: '2999-01-31T12:00:00.000Z' },
  }),
  row('GET', '/v1/admin/codes/{id}', { id: async (fixture) => (await fixture.newCodes()).id }),
  row('DELETE', '/v1/admin/codes/{id}', { id: async (fixture) => (await fixture.newCodes()).id }),
  row('GET', '/v1/admin/users'),
  row('POST', '/v1/admin/users', { status: 201, body: person }),
  row('GET', '/v1/admin/users/{id}', { id: newUser }),
  row('PATCH', '/v1/admin/users/{id}', { id: newUser, body: { role: 'admin' } }),
  row('POST', '/v1/admin/keys/{id}/disable', { id: (one) => one.newKey(), body: {} }),
  row('POST', '/v1/admin/keys/{id}/enable', { id: (one) => one.newKey(), body: {} }),
  ...['reset-password', 'disable', 'enable', 'end-sessions'].map((command) =>
    row('POST', `/v1/admin/users/{id}/${command}`, { id: newUser, body: {} }),
  ),
  row('GET', '/v1/admin/requests', { query: 'status=succeeded' }),
  row('GET', '/v1/admin/requests/{request_id}', { id: (fixture) => fixture.settledRequest() }),
  row('GET', '/v1/admin/requests/{request_id}/refusal', { id: (one) => one.refusedRequest() }),
  row('GET', '/v1/admin/refusals', { query: 'limit=1' }),
  row('GET', '/v1/admin/alerts'),
  row('GET', '/v1/admin/audit'),
  row('GET', '/v1/admin/audit-log', { query: 'operation=POST%20/v1/keys' }),
  row('GET', '/v1/admin/audit-log/{id}', { id: (fixture) => fixture.newAuditEntry() }),
];

/** A call of every operation of the document. */
export const OPERATION_CASES: readonly OperationCase[] = [
  ...models,
  ...account,
  ...users,
  ...webhooks,
  ...operator,
];

/** The path with its parameter in place. */
export function urlOf(path: string, { id = 'missing', query }: Arranged = {}): string {
  const filled = path.replace(/\{\w+\}/, encodeURIComponent(id));
  return query === undefined ? filled : `${filled}?${query}`;
}

/** Makes what the call needs, and calls. */
export async function callCase(one: OperationCase, fixture: OpenApiFixture): Promise<ApiAnswer> {
  const arranged = await one.arrange(fixture);
  const { body, headers = {} } = arranged;
  return fixture.callers[one.as].request(one.method, urlOf(one.path, arranged), { body, headers });
}
